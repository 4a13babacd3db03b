//! What makes lists and objects. Each pays for every item that it gains, because a projection
//! inside a projection is where a short expression becomes long work.

use std::collections::BTreeMap;

use jmespath::ast::{Ast, KeyValuePair};
use jmespath::{ErrorReason, Rcvar, RuntimeError, Variable};

use super::budget::weight_of;
use super::evaluate::{Evaluated, Evaluator, list, null};
use super::slice::{SliceBounds, slice};

impl Evaluator<'_> {
    pub(super) fn project(&mut self, data: &Rcvar, lhs: &Ast, rhs: &Ast) -> Evaluated {
        let left = self.evaluate(data, lhs)?;
        let Some(items) = left.as_array() else {
            return Ok(null());
        };
        let mut collected = Vec::new();
        for item in items {
            let value = self.evaluate(item, rhs)?;
            if !value.is_null() {
                self.budget().make(1)?;
                collected.push(value);
            }
        }
        Ok(list(collected))
    }

    pub(super) fn flatten(&mut self, data: &Rcvar, node: &Ast) -> Evaluated {
        let subject = self.evaluate(data, node)?;
        let Some(items) = subject.as_array() else {
            return Ok(null());
        };
        let mut collected = Vec::new();
        for item in items {
            match item.as_array() {
                Some(inner) => {
                    self.budget().make(inner.len())?;
                    collected.extend_from_slice(inner);
                }
                None => {
                    self.budget().make(1)?;
                    collected.push(Rcvar::clone(item));
                }
            }
            // An empty list adds nothing but is looked at.
            self.budget().step(1)?;
        }
        Ok(list(collected))
    }

    pub(super) fn object_values(&mut self, data: &Rcvar, node: &Ast) -> Evaluated {
        let subject = self.evaluate(data, node)?;
        let Some(fields) = subject.as_object() else {
            return Ok(null());
        };
        self.budget().make(fields.len())?;
        Ok(list(fields.values().cloned().collect()))
    }

    pub(super) fn multi_list(&mut self, data: &Rcvar, elements: &[Ast]) -> Evaluated {
        if data.is_null() {
            return Ok(null());
        }
        let mut collected = Vec::new();
        for element in elements {
            self.budget().make(1)?;
            collected.push(self.evaluate(data, element)?);
        }
        Ok(list(collected))
    }

    pub(super) fn multi_hash(&mut self, data: &Rcvar, fields: &[KeyValuePair]) -> Evaluated {
        if data.is_null() {
            return Ok(null());
        }
        let mut collected = BTreeMap::new();
        for KeyValuePair { key, value } in fields {
            // The key is copied, and it may be as long as the expression.
            self.budget().make(1 + weight_of(key))?;
            collected.insert(key.clone(), self.evaluate(data, value)?);
        }
        Ok(Rcvar::new(Variable::Object(collected)))
    }

    pub(super) fn slice(&mut self, data: &Rcvar, offset: usize, bounds: SliceBounds) -> Evaluated {
        let Some(items) = data.as_array() else {
            return Ok(null());
        };
        let Some(taken) = slice(items, bounds) else {
            return Err(self.fail(offset, ErrorReason::Runtime(RuntimeError::InvalidSlice)));
        };
        self.budget().make(taken.len())?;
        Ok(list(taken))
    }
}
