//! From the coordinates of one frame to those of another.
//!
//! A frame is a rectangle to itself, and whatever CSS makes of it to the document around it: moved,
//! scaled, turned, or seen in perspective. All of these keep straight lines straight, so that where
//! the four corners go says where every point goes, and the way back can be computed too.

use crate::native::input::Point;

/// Below this an area is none.
const NOTHING: f64 = 1e-9;

/// A mapping of the plane that keeps lines straight: a matrix for points with a third coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mapping([[f64; 3]; 3]);

impl Mapping {
    /// The one that moves everything by so much.
    pub(super) fn moving(x: f64, y: f64) -> Self {
        Self([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])
    }

    /// The one that lays a rectangle of this size onto four corners, clockwise from the upper left.
    /// None if the rectangle or what it becomes has no area.
    pub(super) fn onto(width: f64, height: f64, corners: &[f64]) -> Option<Self> {
        let &[x0, y0, x1, y1, x2, y2, x3, y3] = corners else {
            return None;
        };
        if width < NOTHING || height < NOTHING {
            return None;
        }
        let (ax, ay, bx, by) = (x1 - x2, y1 - y2, x3 - x2, y3 - y2);
        // How far the corners are from those of a parallelogram.
        let (sx, sy) = (x0 - x1 + x2 - x3, y0 - y1 + y2 - y3);
        let area = ax * by - bx * ay;
        if area.abs() < NOTHING {
            return None;
        }
        let g = (sx * by - bx * sy) / area;
        let h = (ax * sy - sx * ay) / area;
        let unit = Self([
            [x1 - x0 + g * x1, x3 - x0 + h * x3, x0],
            [y1 - y0 + g * y1, y3 - y0 + h * y3, y0],
            [g, h, 1.0],
        ]);
        let shrink = Self([
            [1.0 / width, 0.0, 0.0],
            [0.0, 1.0 / height, 0.0],
            [0.0, 0.0, 1.0],
        ]);
        Some(shrink.then(unit))
    }

    /// This one, and then another.
    #[must_use]
    pub(super) fn then(self, next: Self) -> Self {
        let (a, b) = (next.0, self.0);
        let cell = |row: usize, column: usize| (0..3).map(|i| a[row][i] * b[i][column]).sum();
        let row = |row| [cell(row, 0), cell(row, 1), cell(row, 2)];
        Self([row(0), row(1), row(2)])
    }

    /// The way back, if there is one.
    pub(super) fn inverse(self) -> Option<Self> {
        let m = self.0;
        let minor = |r0: usize, r1: usize, c0: usize, c1: usize| {
            m[r0][c0] * m[r1][c1] - m[r0][c1] * m[r1][c0]
        };
        let turned = [
            [minor(1, 2, 1, 2), -minor(0, 2, 1, 2), minor(0, 1, 1, 2)],
            [-minor(1, 2, 0, 2), minor(0, 2, 0, 2), -minor(0, 1, 0, 2)],
            [minor(1, 2, 0, 1), -minor(0, 2, 0, 1), minor(0, 1, 0, 1)],
        ];
        let whole: f64 = (0..3).map(|i| m[0][i] * turned[i][0]).sum();
        (whole.abs() > NOTHING).then(|| Self(turned.map(|row| row.map(|cell| cell / whole))))
    }

    /// Where a point goes.
    pub(super) fn at(self, Point { x, y }: Point) -> Point {
        let [a, b, c] = self.0.map(|row| row[0] * x + row[1] * y + row[2]);
        Point { x: a / c, y: b / c }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_near(a: Point, b: Point) -> bool {
        (a.x - b.x).abs() < 1e-6 && (a.y - b.y).abs() < 1e-6
    }

    #[test]
    fn corners_go_where_they_should_also_in_perspective() {
        let quad = [10.0, 20.0, 110.0, 30.0, 100.0, 90.0, 5.0, 70.0];
        let mapping = Mapping::onto(200.0, 50.0, &quad).unwrap();
        let corners = [(0.0, 0.0), (200.0, 0.0), (200.0, 50.0), (0.0, 50.0)];
        for ((x, y), goal) in corners.into_iter().zip(quad.chunks(2)) {
            let goal = Point {
                x: goal[0],
                y: goal[1],
            };
            assert!(is_near(mapping.at(Point { x, y }), goal), "{x}, {y}");
        }
    }

    #[test]
    fn what_has_no_area_has_no_mapping() {
        let line = [0.0, 0.0, 10.0, 10.0, 20.0, 20.0, 30.0, 30.0];
        assert_eq!(Mapping::onto(10.0, 10.0, &line), None);
        let square = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0];
        assert_eq!(Mapping::onto(0.0, 10.0, &square), None);
        assert_eq!(Mapping::onto(10.0, 10.0, &square[..6]), None);
    }

    proptest! {
        #[test]
        fn the_way_back_leads_back(
            (left, top) in (-500.0..500.0, -500.0..500.0),
            (width, height) in (20.0..900.0, 20.0..900.0),
            turn in 0.0..6.2f64,
            (x, y) in (0.0..300.0, 0.0..200.0),
        ) {
            let (sin, cos) = turn.sin_cos();
            let corner = |x: f64, y: f64| [left + x * cos - y * sin, top + x * sin + y * cos];
            let quad = [corner(0.0, 0.0), corner(width, 0.0), corner(width, height), corner(0.0, height)].concat();
            let there = Mapping::onto(300.0, 200.0, &quad).unwrap();
            let moved = there.then(Mapping::moving(7.0, -3.0));
            let point = Point { x, y };
            let goal = there.at(point);
            let goal = Point { x: goal.x + 7.0, y: goal.y - 3.0 };
            prop_assert!(is_near(moved.at(point), goal));
            prop_assert!(is_near(moved.inverse().unwrap().at(goal), point));
        }
    }
}
