//! The text of a file with its accesses written anew.

use crate::schedule::{Plan, Role};
use crate::site::{Body, Kind, Sites, Through};
use xcfa::{FileId, Span};

/// Writes a file anew.
pub fn file(number: u32, text: &str, sites: &Sites, plan: &Plan) -> String {
    let file = FileId(number);
    let writer = Writer {
        text,
        file,
        sites,
        plan,
    };
    let all = Span::new(file, 0, text.len() as u32);
    writer.inside(all, &[])
}

/// A piece of text that stands for something else.
struct Patch {
    span: Span,
    text: String,
}

fn beginning(why: Body) -> &'static str {
    match why {
        Body::Atomic => {
            "__attribute__((cleanup(mz_section_end))) int mz_section = mz_section_begin();"
        }
        Body::Error => "mz_reached();",
    }
}

struct Writer<'a> {
    text: &'a str,
    file: FileId,
    sites: &'a Sites,
    plan: &'a Plan,
}

impl Writer<'_> {
    /// The text of an expression, written anew if it is a site.
    fn written(&self, span: Span) -> String {
        match self.sites.by_span.get(&span) {
            Some(kind) => self.site(span, kind),
            None => self.inside(span, &[]),
        }
    }

    /// The text of a span with the sites within it written anew, and some parts replaced.
    fn inside(&self, span: Span, replaced: &[Patch]) -> String {
        let mut out = String::new();
        let mut at = span.lo;
        while at < span.hi {
            let next = self.next_patch(span, at, replaced);
            let Some(patch) = next else { break };
            out += &self.text[at as usize..patch.span.lo as usize];
            out += &patch.text;
            at = patch.span.hi.max(at);
        }
        out + &self.text[at as usize..span.hi as usize]
    }

    /// What is to be replaced next at or behind `at`; outer expressions come before inner ones.
    fn next_patch(&self, within: Span, at: u32, replaced: &[Patch]) -> Option<Patch> {
        let from = Span::new(self.file, at, 0);
        let fits = |span: Span| {
            span.file == self.file && span.lo >= at && span.hi <= within.hi && span != within
        };
        let upto = self.sites.by_span.range(from..).map(|(span, _)| *span);
        let mut sites = upto.take_while(|span| span.file == self.file && span.lo < within.hi);
        let first = sites.find(|&span| fits(span));
        // Spans are ordered by their start and then by their end: the longest of those that start
        // together is the outer one.
        let site = first.map(|first| {
            let same = sites.take_while(|span| span.lo == first.lo);
            same.filter(|&span| fits(span)).last().unwrap_or(first)
        });
        let given = replaced.iter().filter(|patch| fits(patch.span));
        let given = given.min_by_key(|patch| patch.span.lo);
        let body = self.next_body(within, at);
        let site = site.map(|span| (span.lo, self.sites.by_span.get(&span), span));
        let before = |lo: u32| body.is_none_or(|(body, _)| lo < body.hi);
        match (given, site) {
            (Some(patch), site)
                if site.is_none_or(|(lo, ..)| patch.span.lo <= lo) && before(patch.span.lo) =>
            {
                Some(Patch {
                    span: patch.span,
                    text: patch.text.clone(),
                })
            }
            (_, Some((lo, Some(kind), span))) if before(lo) => Some(Patch {
                span,
                text: self.site(span, kind),
            }),
            _ => body.map(|(span, why)| Patch {
                span,
                text: beginning(why).to_owned(),
            }),
        }
    }

    /// Behind the brace that opens a body with something more in it.
    fn next_body(&self, within: Span, at: u32) -> Option<(Span, Body)> {
        let bodies = self.sites.bodies.iter();
        let here = bodies.filter(|(body, _)| body.file == self.file);
        let open = here.map(|&(body, why)| {
            let behind = body.lo + 1;
            let span = Span {
                lo: behind,
                hi: behind,
                ..body
            };
            (span, why)
        });
        // An empty patch must not be found twice.
        open.filter(|(open, _)| open.lo > at && open.hi <= within.hi)
            .min()
    }

    /// A site; the line markers within it would stand within the arguments of a macro.
    fn site(&self, span: Span, kind: &Kind) -> String {
        let text = self.site_with_markers(span, kind);
        let is_marker = |line: &&str| line.starts_with("# ");
        let lines = text.split('\n').filter(|line| !is_marker(line));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn site_with_markers(&self, span: Span, kind: &Kind) -> String {
        let whole = self.plan.point(span, Role::Whole);
        let inside = |part: Span| self.written(part);
        match kind {
            Kind::Read { bits: false, .. } => {
                format!("MZ_READ({whole}, {})", self.inside(span, &[]))
            }
            Kind::Read { bits: true, .. } => {
                format!("MZ_READ_BITS({whole}, {})", self.inside(span, &[]))
            }
            Kind::Write {
                place, value, bits, ..
            } => {
                let name = if *bits { "MZ_WRITE_BITS" } else { "MZ_WRITE" };
                format!("{name}({whole}, ({}), {})", inside(*place), inside(*value))
            }
            Kind::Change { .. } => self.change(span, kind),
            Kind::Call { args, void } => {
                let name = if *void { "MZ_CALL_VOID" } else { "MZ_CALL" };
                self.call(span, args, |call| format!("{name}({whole}, {call})"))
            }
            Kind::Ordered { args } => self.call(span, args, str::to_owned),
            Kind::Through { what, args } => self.through(span, *what, args),
            Kind::Input => format!("MZ_INPUT({whole}, {})", self.inside(span, &[])),
        }
    }

    fn change(&self, span: Span, kind: &Kind) -> String {
        let Kind::Change {
            place,
            value,
            op,
            postfix,
            once,
        } = kind
        else {
            unreachable!("only changes are changed");
        };
        let place = format!("({})", self.written(*place));
        let whole = self.plan.point(span, Role::Whole);
        match (value.map(|value| self.written(value)), once) {
            (Some(value), true) => format!("MZ_CHANGE_ONCE({whole}, {op}=, {place}, {value})"),
            (None, true) => {
                let (before, after) = match postfix {
                    true => (String::new(), format!("{op}{op}")),
                    false => (format!("{op}{op}"), String::new()),
                };
                format!("MZ_STEP_ONCE({whole}, {before}, {after}, {place})")
            }
            (value, false) => {
                let reads = self.plan.point(span, Role::Reads);
                let writes = self.plan.point(span, Role::Writes);
                let result = if *postfix { "mz_old" } else { "mz_new" };
                let value = value.unwrap_or_else(|| "1".to_owned());
                format!("MZ_CHANGE({reads}, {writes}, {result}, {op}, {place}, {value})")
            }
        }
    }

    /// A call; arguments with steps of their own are worked out before its turn comes.
    fn call(&self, span: Span, args: &[Span], stepped: impl Fn(&str) -> String) -> String {
        let mut early = String::new();
        let mut replaced = Vec::new();
        for (number, &arg) in args.iter().enumerate() {
            let text = self.written(arg);
            // A call may have steps in its body.
            if text.contains('(') {
                early += &format!("__auto_type mz_argument_{number} = ({text}); ");
                let text = format!("mz_argument_{number}");
                replaced.push(Patch { span: arg, text });
            }
        }
        let call = stepped(&self.inside(span, &replaced));
        match early.is_empty() {
            true => call,
            false => format!("({{ {early}{call}; }})"),
        }
    }

    fn through(&self, span: Span, what: Through, args: &[Span]) -> String {
        let whole = self.plan.point(span, Role::Whole);
        let args: Vec<String> = args.iter().map(|&arg| self.written(arg)).collect();
        let all = args.join(", ");
        let wait = |code: i32| {
            let woken = self.plan.point(span, Role::Woken);
            let timed_out = self.plan.point(span, Role::TimedOut);
            let waited = args[..2.min(args.len())].join(", ");
            format!("mz_wait({whole}, {woken}, {timed_out}, {code}, {waited})")
        };
        match what {
            Through::Create => format!("mz_create({whole}, {all})"),
            Through::CreateC11 => format!("mz_create11({whole}, {all})"),
            Through::Wait => wait(0),
            Through::TimedWait(code) => wait(code),
            Through::Barrier => {
                let goes = self.plan.point(span, Role::Goes);
                format!("mz_barrier_wait({whole}, {goes}, {all})")
            }
            Through::Exit => format!("({{ mz_leave(); {}; }})", self.inside(span, &[])),
            Through::SectionBegin => "((void)mz_section_begin())".to_owned(),
            Through::SectionEnd => "mz_section_end(0)".to_owned(),
        }
    }
}
