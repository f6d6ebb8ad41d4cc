//! Every attribute that GCC honours, with what we do with it, in one table.
//!
//! The law: an attribute is modelled, is harmless for the reason that its row gives, or is refused. A name
//! that is not in the table is refused too, so that nothing is ignored by accident.

use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// What becomes of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Treatment {
    /// The parser keeps it, and a later stage honours it.
    Modelled(Modelled),
    /// It changes nothing that a verdict depends on.
    Harmless,
    /// It changes what a program does, and we do not model that.
    Refused,
}

/// Attributes that are honoured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "GCC's own names")]
pub(super) enum Modelled {
    Alias,
    Aligned,
    Cleanup,
    Common,
    Constructor,
    Destructor,
    GnuInline,
    Ifunc,
    Mode,
    NoReturn,
    Packed,
    Section,
    VectorSize,
    Weak,
    WeakRef,
}

const MODELLED: &[(&str, Modelled)] = &[
    ("alias", Modelled::Alias),
    ("aligned", Modelled::Aligned),
    ("cleanup", Modelled::Cleanup),
    ("common", Modelled::Common),
    ("constructor", Modelled::Constructor),
    ("destructor", Modelled::Destructor),
    ("gnu_inline", Modelled::GnuInline),
    ("ifunc", Modelled::Ifunc),
    ("mode", Modelled::Mode),
    ("noreturn", Modelled::NoReturn),
    ("_Noreturn", Modelled::NoReturn),
    ("packed", Modelled::Packed),
    ("section", Modelled::Section),
    ("vector_size", Modelled::VectorSize),
    ("weak", Modelled::Weak),
    ("weakref", Modelled::WeakRef),
];

/// Attributes without an effect on what programs do, by the reason.
const HARMLESS: &[(&str, &str)] = &[
    (
        "it only asks for warnings, or silences them",
        "access alloc_align alloc_size annotate artificial counted_by deprecated designated_init \
         diagnose_if enum_extensibility error fallthrough fd_arg fd_arg_read fd_arg_write \
         flag_enum format format_arg maybe_unused nodiscard nonstring null_terminated_string_arg \
         sentinel strict_flex_array suppress tainted_args unavailable unused warn_if_not_aligned \
         warn_unused_result warning",
    ),
    (
        "it is a promise about the function, which the function keeps or the program is wrong",
        "assume_aligned const expected_throw leaf malloc nonnull nonnull_if_nonzero nothrow pure \
         reproducible returns_nonnull returns_twice unsequenced",
    ),
    (
        "it steers optimisation, which keeps what programs mean",
        "always_inline cold convergent flatten hot likely may_alias musttail no_icf no_reorder \
         noclone noinline noipa nomerge nooutline not_tail_called optimize optnone simd target \
         target_clones unlikely uninitialized",
    ),
    (
        "it says where code and data are put, or who sees them outside of the program",
        "externally_visible nocommon noplt retain symver tls_model used visibility",
    ),
    (
        "it changes how calls are made, on both sides",
        "cdecl fastcall force_align_arg_pointer long_call ms_abi no_callee_saved_registers \
         no_caller_saved_registers pcs preserve_all preserve_most regparm short_call sseregparm \
         stdcall sysv_abi thiscall",
    ),
    (
        "it adds or leaves out instrumentation",
        "cf_check disable_sanitizer_instrumentation fentry_name fentry_section function_return \
         hotpatch indirect_branch indirect_return ms_hook_prologue no_address_safety_analysis \
         no_instrument_function no_profile_instrument_function no_sanitize no_sanitize_address \
         no_sanitize_coverage no_sanitize_memory no_sanitize_thread no_sanitize_undefined \
         no_split_stack no_stack_limit no_stack_protector nocf_check patchable_function_entry \
         stack_protect strub zero_call_used_regs",
    ),
    (
        "GCC's own layout is asked for, or arguments of another type, which calls see by themselves",
        "gcc_struct transparent_union",
    ),
    (
        "it is read by a checker of locks only",
        "acquire_capability acquire_shared_capability acquired_after acquired_before \
         assert_capability assert_exclusive_lock assert_shared_capability assert_shared_lock \
         capability exclusive_lock_function exclusive_locks_required exclusive_trylock_function \
         guarded_by guarded_var lock_returned lockable locks_excluded no_thread_safety_analysis \
         pt_guarded_by pt_guarded_var release_capability release_generic_capability \
         release_shared_capability requires_capability requires_shared_capability \
         scoped_lockable shared_lock_function shared_locks_required shared_trylock_function \
         try_acquire_capability try_acquire_shared_capability unlock_function",
    ),
    (
        "it is read by the checker of the Linux kernel only",
        "bitwise context force nocast noderef safe",
    ),
];

/// What becomes of the attribute of this name.
pub(super) fn treatment(name: &str) -> Treatment {
    if let Some((_, kind)) = MODELLED.iter().find(|(known, _)| *known == name) {
        return Treatment::Modelled(*kind);
    }
    // Headers have an attribute or two on every function.
    static KNOWN: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
        let names = HARMLESS.iter().map(|(_, names)| names);
        names
            .flat_map(|names| names.split_ascii_whitespace())
            .collect()
    });
    match KNOWN.contains(name) {
        true => Treatment::Harmless,
        false => Treatment::Refused,
    }
}

/// Does GCC ignore attributes of this vendor?
pub(super) fn is_foreign(vendor: &str) -> bool {
    !matches!(vendor, "gnu" | "clang")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_in_two_rows() {
        let harmless = HARMLESS
            .iter()
            .flat_map(|(_, names)| names.split_ascii_whitespace());
        let all: Vec<&str> = MODELLED
            .iter()
            .map(|(name, _)| *name)
            .chain(harmless)
            .collect();
        for (at, name) in all.iter().enumerate() {
            assert!(!all[at + 1..].contains(name), "`{name}` is there twice");
        }
    }

    #[test]
    fn what_nobody_knows_is_refused() {
        assert_eq!(treatment("naked"), Treatment::Refused);
        assert_eq!(treatment("scalar_storage_order"), Treatment::Refused);
        assert_eq!(treatment("no_such_attribute"), Treatment::Refused);
    }
}
