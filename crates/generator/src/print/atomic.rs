//! Atomic operations as C.

use super::type_name;
use crate::program::{AtomicForm, FetchOp, Lvalue, Program, Rmw};

impl Program {
    /// An operation in one of its less usual forms.
    pub(super) fn atomic(&self, local: usize, form: &AtomicForm, place: &Lvalue) -> String {
        let (ty, at) = (
            type_name(self.place_type(place)),
            format!("&{}", self.place(place)),
        );
        match form {
            AtomicForm::Load => {
                format!("{{ {ty} got; __atomic_load({at}, &got, 2); l{local} = got; }}")
            }
            AtomicForm::Store(value) => format!(
                "{{ {ty} new = {}; __atomic_store({at}, &new, 3); }}",
                self.expr(value)
            ),
            AtomicForm::Exchange(value) => format!(
                "{{ {ty} new = {}, got; __atomic_exchange({at}, &new, &got, 4); l{local} = got; }}",
                self.expr(value)
            ),
            AtomicForm::CompareExchange(weak, expected, desired) => format!(
                "{{ {ty} seen = {}, new = {}; __atomic_compare_exchange({at}, &seen, &new, {}, 5, 0); l{local} = seen; }}",
                self.expr(expected),
                self.expr(desired),
                u8::from(*weak)
            ),
            AtomicForm::BoolSwap(old, new) => format!(
                "l{local} = __sync_bool_compare_and_swap({at}, {}, {});",
                self.expr(old),
                self.expr(new)
            ),
            AtomicForm::ValSwap(old, new) => format!(
                "l{local} = __sync_val_compare_and_swap({at}, {}, {});",
                self.expr(old),
                self.expr(new)
            ),
            AtomicForm::Release => format!("__sync_lock_release({at});"),
            AtomicForm::TestAndSet => format!("l{local} = __atomic_test_and_set({at}, 2);"),
            AtomicForm::Clear => format!("__atomic_clear({at}, 3);"),
        }
    }
}

/// The built-in and what follows its value.
pub(super) fn rmw_text(op: Rmw) -> (String, String) {
    match op {
        Rmw::Fetch(op, order) => (format!("__atomic_fetch_{}", name(op)), format!(", {order}")),
        Rmw::Then(op, order) => (format!("__atomic_{}_fetch", name(op)), format!(", {order}")),
        Rmw::Exchange => ("__atomic_exchange_n".into(), ", 5".into()),
        Rmw::SyncFetch(op) => (format!("__sync_fetch_and_{}", name(op)), String::new()),
        Rmw::SyncThen(op) => (format!("__sync_{}_and_fetch", name(op)), String::new()),
        Rmw::SyncTestAndSet => ("__sync_lock_test_and_set".into(), String::new()),
    }
}

fn name(op: FetchOp) -> &'static str {
    match op {
        FetchOp::Add => "add",
        FetchOp::Sub => "sub",
        FetchOp::And => "and",
        FetchOp::Or => "or",
        FetchOp::Xor => "xor",
        FetchOp::Nand => "nand",
    }
}
