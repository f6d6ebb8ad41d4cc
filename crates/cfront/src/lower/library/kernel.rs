//! Calls of the kernel by their numbers: which ones `lib/futex.c` knows. And what models have to know about
//! the program.

use crate::Unsupported;
use crate::hir::{ExprKind, FuncId, Program, Type};
use crate::lower::reach::{Reach, any_expr_in, peel_casts};
use crate::lower::types::Lowered;
use xcfa::DataModel;

/// A call of the kernel, by its numbers on x86.
#[derive(Clone, Copy, Debug)]
pub struct KernelCall {
    lp64: i64,
    ilp32: i64,
}

/// Waiting for a number to change.
pub const FUTEX: KernelCall = KernelCall {
    lp64: 202,
    ilp32: 240,
};

/// The number of the calling thread.
const THREAD: KernelCall = KernelCall {
    lp64: 186,
    ilp32: 224,
};

impl KernelCall {
    /// Its number.
    pub fn of(self, model: DataModel) -> i64 {
        match model {
            DataModel::Lp64 => self.lp64,
            DataModel::Ilp32 => self.ilp32,
        }
    }
}

/// Requests to devices that `lib/devices.c` knows, and those with nothing but a result.
const REQUESTS: [u64; 7] = [0x5413, 0x5414, 0x541B, 0x5421, 0x5450, 0x5451, 0x540B];

/// Refuses calls of the kernel and requests to devices that are not modelled.
pub(in crate::lower) fn refuse_unknown(program: &Program, reach: &Reach) -> Lowered<()> {
    let calls = [FUTEX, THREAD].map(|call| call.of(program.data_model) as u64);
    let calls = |number: u64| calls.contains(&number);
    let why = "calls the kernel by a number that is not modelled; define it to say what it does";
    refuse_numbers(program, reach, ("syscall", 0), &calls, why)?;
    let why = "a request that is not modelled; define it to say what it does";
    // A request is a number of 32 bits, whatever type it is given in.
    let requests = |number: u64| REQUESTS.contains(&(number & 0xFFFF_FFFF));
    refuse_numbers(program, reach, ("ioctl", 1), &requests, why)
}

/// Refuses calls of a function unless the argument at a place is a number that is known.
fn refuse_numbers(
    program: &Program,
    reach: &Reach,
    (name, at): (&str, usize),
    is_known: &dyn Fn(u64) -> bool,
    why: &str,
) -> Lowered<()> {
    let is_meant = |callee: FuncId| program.functions[callee.0 as usize].name == name;
    let mut unknown = None;
    for id in &reach.functions {
        let function = &program.functions[id.0 as usize];
        let Some(body) = function.body.as_ref().filter(|_| !function.link.library) else {
            continue;
        };
        any_expr_in(body, |expr| {
            if let ExprKind::Call { callee, args } = &expr.kind
                && matches!(callee.kind, ExprKind::FunctionAddr(callee) if is_meant(callee))
            {
                let number = args.get(at).map(|number| &peel_casts(number).kind);
                let known = matches!(number, Some(ExprKind::Int(bits)) if is_known(*bits));
                unknown = unknown.or((!known).then_some(expr.span));
            }
            false
        });
    }
    match unknown {
        Some(span) => Err(Unsupported::call(span, name, why)),
        None => Ok(()),
    }
}

/// Does the program keep addresses in what it watches files with?
pub(super) fn watches_addresses(program: &Program, reach: &Reach) -> bool {
    let is_data = |ty: &Type| match ty.unqualified() {
        Type::Record(id) => program.records[id.0 as usize].tag.as_deref() == Some("epoll_data"),
        _ => false,
    };
    reach.functions.iter().any(|id| {
        let function = &program.functions[id.0 as usize];
        let own = function.body.as_ref().filter(|_| !function.link.library);
        own.is_some_and(|body| {
            any_expr_in(body, |expr| match &expr.kind {
                ExprKind::Member(of, field) => {
                    is_data(&of.ty) && matches!(field.name.as_str(), "ptr" | "u64")
                }
                _ => false,
            })
        })
    })
}

/// Does the program look at error numbers itself?
pub(super) fn looks_at_errno(program: &Program, reach: &Reach) -> bool {
    let is_number = |id: FuncId| program.functions[id.0 as usize].name == "__errno_location";
    reach.functions.iter().any(|id| {
        let function = &program.functions[id.0 as usize];
        let own = function.body.as_ref().filter(|_| !function.link.library);
        own.is_some_and(|body| {
            any_expr_in(
                body,
                |expr| matches!(expr.kind, ExprKind::FunctionAddr(id) if is_number(id)),
            )
        })
    })
}
