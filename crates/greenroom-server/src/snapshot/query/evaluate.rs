//! The walk of a syntax tree over a page.
//!
//! What each construct means is set by the JMESPath specification; what is added here is that
//! every visit is paid for.

use jmespath::ast::{Ast, Comparator};
use jmespath::{Context, Rcvar, Variable};

use super::QueryError;
use super::budget::Budget;
use super::complaint::Complaint;
use super::{functions, values};

/// What a construct yields.
pub(super) type Evaluated = Result<Rcvar, QueryError>;

/// One run of one expression.
pub(super) struct Evaluator<'e> {
    budget: Budget,
    context: Context<'e>,
}

impl<'e> Evaluator<'e> {
    pub(super) fn new(budget: Budget, context: Context<'e>) -> Self {
        Self { budget, context }
    }

    pub(super) fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }

    pub(super) fn context(&mut self) -> &mut Context<'e> {
        &mut self.context
    }

    /// The error of a construct at an offset.
    pub(super) fn fail(&self, offset: usize, complaint: impl Into<Complaint>) -> QueryError {
        complaint.into().at(self.context.expression, offset)
    }

    /// What an expression yields for a value.
    pub(super) fn evaluate(&mut self, data: &Rcvar, node: &Ast) -> Evaluated {
        self.budget.step(1)?;
        match node {
            Ast::Identity { .. } => Ok(Rcvar::clone(data)),
            Ast::Literal { value, .. } => Ok(Rcvar::clone(value)),
            Ast::Field { name, .. } => Ok(data.get_field(name)),
            Ast::Index { idx, .. } => Ok(index(data, *idx)),
            Ast::Slice {
                offset,
                start,
                stop,
                step,
            } => self.slice(data, *offset, (*start, *stop, *step)),
            Ast::Subexpr { lhs, rhs, .. } => {
                let left = self.evaluate(data, lhs)?;
                self.evaluate(&left, rhs)
            }
            Ast::ObjectValues { node, .. } => self.object_values(data, node),
            Ast::Flatten { node, .. } => self.flatten(data, node),
            Ast::Projection { lhs, rhs, .. } => self.project(data, lhs, rhs),
            Ast::MultiList { elements, .. } => self.multi_list(data, elements),
            Ast::MultiHash { elements, .. } => self.multi_hash(data, elements),
            Ast::Function { offset, name, args } => {
                functions::call(self, data, name, args, *offset)
            }
            Ast::Expref { offset, .. } => {
                let problem = "& only stands before the expression that a function takes";
                let complaint = Complaint::new(problem.to_owned(), "sort_by(nodes, &role)");
                Err(self.fail(*offset, complaint))
            }
            Ast::Or { lhs, rhs, .. } => self.first_that_is(true, data, lhs, rhs),
            Ast::And { lhs, rhs, .. } => self.first_that_is(false, data, lhs, rhs),
            Ast::Not { node, .. } => {
                let truthy = self.evaluate(data, node)?.is_truthy();
                Ok(Rcvar::new(Variable::Bool(!truthy)))
            }
            Ast::Condition {
                predicate, then, ..
            } => match self.evaluate(data, predicate)?.is_truthy() {
                true => self.evaluate(data, then),
                false => Ok(null()),
            },
            Ast::Comparison {
                comparator,
                lhs,
                rhs,
                ..
            } => {
                let left = self.evaluate(data, lhs)?;
                let right = self.evaluate(data, rhs)?;
                self.compare(&left, comparator, &right)
            }
        }
    }

    /// `||` and `&&` yield their left side if it decides, else their right.
    fn first_that_is(&mut self, truthy: bool, data: &Rcvar, lhs: &Ast, rhs: &Ast) -> Evaluated {
        let left = self.evaluate(data, lhs)?;
        if left.is_truthy() == truthy {
            return Ok(left);
        }
        self.evaluate(data, rhs)
    }

    /// Only values of one type are looked into, so only they cost more than a step.
    fn compare(&mut self, left: &Rcvar, comparator: &Comparator, right: &Rcvar) -> Evaluated {
        if left.get_type() == right.get_type() {
            values::look_through(left, &mut self.budget)?;
        }
        let answer = left.compare(comparator, right);
        Ok(answer.map_or_else(null, |holds| Rcvar::new(Variable::Bool(holds))))
    }
}

fn index(data: &Rcvar, at: i32) -> Rcvar {
    let distance = usize::try_from(at.unsigned_abs()).unwrap_or(usize::MAX);
    if at < 0 {
        data.get_negative_index(distance)
    } else {
        data.get_index(distance)
    }
}

pub(super) fn null() -> Rcvar {
    Rcvar::new(Variable::Null)
}

pub(super) fn list(items: Vec<Rcvar>) -> Rcvar {
    Rcvar::new(Variable::Array(items))
}
