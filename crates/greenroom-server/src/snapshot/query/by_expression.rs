//! The functions that take an expression: `map`, `sort_by`, `min_by`, `max_by`.

use std::cmp::Ordering;

use jmespath::Rcvar;
use jmespath::ast::Ast;

use super::QueryError;
use super::complaint::Complaint;
use super::evaluate::{Evaluated, Evaluator, list, null};
use super::functions::rounds;
use super::values::surface;

/// How they are called.
const EXAMPLES: &str = "sort_by(nodes, &role), max_by(nodes, &depth), map(&name, nodes)";
/// How they are called where the key may be absent.
const SORTED: &str = "sort_by(nodes[?name], &name)";

/// Calls one of them.
pub(super) fn call(
    evaluator: &mut Evaluator<'_>,
    data: &Rcvar,
    name: &str,
    args: &[Ast],
    offset: usize,
) -> Evaluated {
    let (items, ast) = match (name, args) {
        ("map", [Ast::Expref { ast, .. }, items]) => (items, ast),
        ("sort_by" | "min_by" | "max_by", [items, Ast::Expref { ast, .. }]) => (items, ast),
        _ => {
            let problem = format!("{name} takes a list and an expression with & before it");
            return Err(evaluator.fail(offset, Complaint::new(problem, EXAMPLES)));
        }
    };
    let items = evaluator.evaluate(data, items)?;
    let Some(items) = items.as_array() else {
        let problem = format!("{name} takes a list and this is {}", items.get_type());
        return Err(evaluator.fail(offset, Complaint::new(problem, EXAMPLES)));
    };
    if name == "map" {
        return map(evaluator, items, ast);
    }
    let keyed = keyed(evaluator, items, ast, offset)?;
    by_key(evaluator, name, keyed)
}

fn map(evaluator: &mut Evaluator<'_>, items: &[Rcvar], ast: &Ast) -> Evaluated {
    let mut mapped = Vec::new();
    for item in items {
        evaluator.budget().make(1)?;
        mapped.push(evaluator.evaluate(item, ast)?);
    }
    Ok(list(mapped))
}

/// An item and what an expression yields for it.
type Keyed = (Rcvar, Rcvar);

/// The items with their keys, which must all be texts or all be numbers.
fn keyed(
    evaluator: &mut Evaluator<'_>,
    items: &[Rcvar],
    ast: &Ast,
    offset: usize,
) -> Result<Vec<Keyed>, QueryError> {
    let mut keyed: Vec<Keyed> = Vec::new();
    for item in items {
        let key = evaluator.evaluate(item, ast)?;
        let sortable = key.is_string() || key.is_number();
        let first = keyed.first().map_or(&key, |(_, first)| first);
        if !sortable || first.get_type() != key.get_type() {
            let problem = format!(
                "the expression must yield only text or only numbers, and it yields {} for item {}",
                key.get_type(),
                keyed.len() + 1
            );
            return Err(evaluator.fail(offset, Complaint::new(problem, SORTED)));
        }
        evaluator.budget().make(1)?;
        keyed.push((Rcvar::clone(item), key));
    }
    Ok(keyed)
}

fn by_key(evaluator: &mut Evaluator<'_>, name: &str, mut keyed: Vec<Keyed>) -> Evaluated {
    let weight: usize = keyed.iter().map(|(_, key)| surface(key)).sum();
    let wanted = match name {
        "min_by" => Ordering::Less,
        "max_by" => Ordering::Greater,
        _ => {
            let budget = evaluator.budget();
            budget.step(weight.saturating_mul(rounds(keyed.len())))?;
            keyed.sort_by(|(_, one), (_, other)| one.cmp(other));
            return Ok(list(keyed.into_iter().map(|(item, _)| item).collect()));
        }
    };
    evaluator.budget().step(weight)?;
    // Of equals, the first one stays.
    let best = keyed.into_iter().reduce(|best, next| {
        if next.1.cmp(&best.1) == wanted {
            next
        } else {
            best
        }
    });
    Ok(best.map_or_else(null, |(item, _)| item))
}
