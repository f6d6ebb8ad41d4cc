//! Objects that all threads share: one or more of each struct that a function is given a pointer to.
//!
//! They have the layout of the library's struct, under a name of the driver's own. A struct with bit-fields or with
//! an alignment of its own is an array of bytes.

use crate::declaration::{declared, record};
use crate::hir::{Member, Program, Record, RecordId, Type};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The shared objects.
pub(super) struct Objects<'p> {
    program: &'p Program,
    count: u32,
    used: Vec<RecordId>,
    anything: bool,
}

impl<'p> Objects<'p> {
    /// None yet; of each struct there will be so many.
    pub fn new(program: &'p Program, count: u32) -> Objects<'p> {
        Objects {
            program,
            count,
            used: Vec::new(),
            anything: false,
        }
    }

    /// A pointer to an object of a struct.
    pub fn pointer(&mut self, id: RecordId) -> Result<String, String> {
        if self.record(id).members.is_none() {
            return Err("is a pointer to a struct that the files do not define".into());
        }
        if !self.used.contains(&id) {
            self.used.push(id);
        }
        Ok(self.element(&self.name(id)))
    }

    /// A pointer to something.
    pub fn anything(&mut self) -> String {
        self.anything = true;
        self.element("mz_anything")
    }

    fn element(&self, array: &str) -> String {
        match self.count {
            1 => format!("(void *)&{array}[0]"),
            count => format!("(void *)&{array}[mz_below({count})]"),
        }
    }

    fn record(&self, id: RecordId) -> &'p Record {
        &self.program.records[id.0 as usize]
    }

    fn name(&self, id: RecordId) -> String {
        match &self.record(id).tag {
            Some(tag) => format!("mz_{tag}"),
            None => format!("mz_{}", id.0),
        }
    }

    /// What is assumed about them.
    pub fn remarks(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let many = match self.count {
            1 => "one object".to_owned(),
            count => format!("{count} objects, of which each call takes any,"),
        };
        for id in &self.used {
            let record = self.record(*id);
            let what = match record.tag {
                Some(_) => record_name(record),
                None => "a struct without a name".to_owned(),
            };
            lines.push(format!(
                "Assumed: there is {many} of {what}, which holds zeros at first; no pointer is null."
            ));
        }
        if self.anything {
            lines.push(
                "Assumed: a pointer to `void` points to one byte that nobody needs.".to_owned(),
            );
        }
        lines
    }

    /// Their declarations.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut known = BTreeSet::new();
        for &id in &self.used {
            if self.record(id).tag.is_some() {
                let _ = writeln!(text, "\n{};", record(self.record(id)));
            }
            self.define(id, &mut known, &mut text);
            let (name, word, count) = (self.name(id), self.word(id), self.count);
            let _ = writeln!(text, "static {word} {name} {name}[{count}];");
        }
        if self.anything {
            let _ = writeln!(text, "\nstatic char mz_anything[{}];", self.count);
        }
        text
    }

    fn word(&self, id: RecordId) -> &'static str {
        match self.record(id).is_union {
            true => "union",
            false => "struct",
        }
    }

    /// The struct under its new name, after those inside it.
    fn define(&self, id: RecordId, known: &mut BTreeSet<RecordId>, text: &mut String) {
        if !known.insert(id) {
            return;
        }
        let found = self.record(id);
        let members = found.members.as_deref().unwrap_or_default();
        let (word, name) = (self.word(id), self.name(id));
        let lines = match self.is_plain(found, members) {
            true => {
                for member in members {
                    if let Some(inner) = record_in(&member.ty) {
                        self.define(inner, known, text);
                    }
                }
                let lines = members.iter().map(|member| self.member(member));
                lines.collect::<String>()
            }
            false => format!(
                "    _Alignas({}) unsigned char bytes[{}];\n",
                found.align, found.size
            ),
        };
        let _ = writeln!(text, "\n{word} {name} {{\n{lines}}};");
    }

    fn member(&self, member: &Member) -> String {
        let name = member.name.clone().unwrap_or_default();
        format!("    {};\n", self.renamed(&member.ty, name).trim_end())
    }

    /// A declaration in which structs have their new names; pointers need not know what they point to.
    fn renamed(&self, ty: &Type, inner: String) -> String {
        match ty {
            Type::Record(id) => format!("{} {} {inner}", self.word(*id), self.name(*id)),
            Type::Array(element, Some(length)) => {
                self.renamed(element, format!("{inner}[{length}]"))
            }
            Type::Array(element, None) => self.renamed(element, format!("{inner}[]")),
            Type::Pointer(_) => format!("void *{inner}"),
            other => declared(self.program, other, inner),
        }
    }

    /// Does C lay the members out so by itself?
    fn is_plain(&self, found: &Record, members: &[Member]) -> bool {
        let (model, records) = (self.program.data_model, &self.program.records);
        let mut end = 0;
        let mut align = 1;
        for member in members {
            let own = member.ty.align(model, records).max(1);
            let size = member.ty.size(model, records);
            let flexible = matches!(member.ty, Type::Array(_, None));
            let at = match found.is_union {
                true => 0,
                false => u64::next_multiple_of(end, own),
            };
            // A union without a name inside would need members, not a name.
            let named = member.name.is_some();
            if member.bits.is_some() || !named || flexible || at != member.offset {
                return false;
            }
            align = align.max(own);
            end = end.max(at + size.unwrap_or(0));
        }
        !members.is_empty() && end.next_multiple_of(align) == found.size && align == found.align
    }
}

fn record_name(found: &Record) -> String {
    format!("`{}`", record(found))
}

fn record_in(ty: &Type) -> Option<RecordId> {
    match ty {
        Type::Record(id) => Some(*id),
        Type::Array(element, _) => record_in(element),
        _ => None,
    }
}
