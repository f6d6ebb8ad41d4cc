//! The measurements, arranged as in the figures of the paper.

use super::{BLOCKS, DOMAINS, PRUNES, REDUCTIONS, published};
use crate::summary::{count, seconds};
use crate::table::Table;
use crate::{Part, Record, Results};
use plots::{Bars, Series, bars, quantile};
use std::collections::BTreeMap;
use verdict::grouped;

/// How many tasks the paper has.
const THEIR_TASKS: f64 = 763.0;

/// What there is about one task in one column.
type Solved<'a> = BTreeMap<&'a str, Vec<&'a Record>>;

/// Something that is summed and drawn.
pub struct Cost {
    name: &'static str,
    file: &'static str,
    of: fn(&[&Record]) -> Option<f64>,
}

pub const TIME: Cost = Cost {
    name: "seconds",
    file: "seconds",
    of: |runs| seconds(runs).map(|spread| spread.median),
};
pub const ACTIONS: Cost = Cost {
    name: "explored actions",
    file: "actions",
    of: |runs| count(runs, "explored actions").map(|spread| spread.median),
};

/// The results of the tasks that were measured in all columns: of others nothing can be compared.
pub struct Whole<'a> {
    columns: BTreeMap<&'a str, Solved<'a>>,
    tasks: usize,
}

impl<'a> Whole<'a> {
    /// From all results.
    pub fn of(results: &'a Results) -> Whole<'a> {
        let all = DOMAINS.len() * PRUNES.len() * BLOCKS.len() * REDUCTIONS.len();
        let mut tasks: BTreeMap<&str, BTreeMap<&str, Vec<&Record>>> = BTreeMap::new();
        for record in results.iter() {
            let columns = tasks.entry(&record.id.row).or_default();
            columns.entry(&record.id.column).or_default().push(record);
        }
        tasks.retain(|_, columns| columns.len() == all);
        let mut whole = Whole {
            columns: BTreeMap::new(),
            tasks: tasks.len(),
        };
        for (task, columns) in tasks {
            for (column, runs) in columns {
                whole.columns.entry(column).or_default().insert(task, runs);
            }
        }
        whole
    }

    /// The costs of the tasks that were solved in a column.
    fn cost(&self, column: &str, cost: &Cost) -> BTreeMap<&'a str, f64> {
        let runs = self.columns.get(column).into_iter().flatten();
        runs.filter_map(|(task, runs)| Some((*task, (cost.of)(runs)?)))
            .collect()
    }

    /// Figure 5.3.
    pub fn solved(&self) -> Part {
        let mut part = Part::new("figure-5-3", "Figure 5.3: solved tasks");
        if self.tasks == 0 {
            return part;
        }
        part.add(format!(
            "Of our {} tasks, and of the paper's 763. The last column sums the explored actions over \
             the tasks that all three reductions solve.",
            self.tasks
        ));
        let head = ["configuration", "NO_POR", "BASIC", "AAPOR"].into_iter();
        let more = [
            "paper: NO_POR",
            "BASIC",
            "AAPOR",
            "actions NO_POR / BASIC / AAPOR",
        ];
        let mut table = Table::new(head.chain(more));
        let theirs = published();
        for name in theirs.names() {
            let actions = REDUCTIONS.map(|(por, _)| self.cost(&format!("{name} {por}"), &ACTIONS));
            let mut line = vec![name.to_owned()];
            line.extend(actions.each_ref().map(|solved| solved.len().to_string()));
            line.extend(REDUCTIONS.map(|(por, _)| theirs.text(name, por).to_owned()));
            let sums = actions.each_ref().map(|solved| {
                let all = |task: &&str| actions.iter().all(|other| other.contains_key(*task));
                let common = solved.iter().filter(|(task, _)| all(task));
                grouped(common.map(|(_, actions)| actions).sum::<f64>() as u64)
            });
            line.push(sums.join(" / "));
            table.row(line);
        }
        part.add(table);
        part
    }

    /// The columns of Figure 5.4, with lazy pruning.
    pub fn evolution(&self) -> Part {
        const STEPS: [(&str, &str); 4] = [
            ("NO_LBE", "NO_POR"),
            ("LBE", "NO_POR"),
            ("LBE", "BASIC"),
            ("LBE", "AAPOR"),
        ];
        let mut part = Part::new("figure-5-4", "Figure 5.4: what each addition brings");
        if self.tasks == 0 {
            return part;
        }
        part.add("Shares of all tasks that are solved, with lazy pruning.");
        let head = STEPS.map(|(blocks, por)| format!("{blocks} {por}"));
        let mut table = Table::new(["domain".to_owned()].into_iter().chain(head.clone()));
        let theirs = published();
        let mut rows = Vec::new();
        for (domain, _) in DOMAINS {
            let ours = STEPS.map(|(blocks, por)| {
                let solved = self.cost(&format!("{domain} LAZY {blocks} {por}"), &TIME);
                solved.len() as f64 / self.tasks as f64
            });
            let paper = STEPS.map(|(blocks, por)| {
                let solved = theirs.number(&format!("{domain} LAZY {blocks}"), por);
                solved.unwrap_or(f64::NAN) / THEIR_TASKS
            });
            rows.push((domain.to_owned(), ours.to_vec()));
            rows.push((format!("{domain}, paper"), paper.to_vec()));
        }
        for (name, shares) in &rows {
            let shares = shares.iter().map(|share| format!("{share:.2}"));
            table.row([name.clone()].into_iter().chain(shares));
        }
        part.add(table);
        let rows: Vec<(&str, Vec<f64>)> =
            rows.iter().map(|(n, v)| (n.as_str(), v.clone())).collect();
        let columns = head.each_ref().map(String::as_str);
        let title = "Figure 5.4: solved tasks, lazy pruning";
        let svg = bars(&Bars {
            title,
            figure: "share of all tasks",
            columns: &columns,
            rows: &rows,
            log: false,
        });
        part.picture("1-figure-5-4.svg", title, svg);
        part
    }

    /// Quantile plots and means for lazy pruning without large blocks, as in the paper.
    pub fn costs(&self, name: &'static str, title: &str, cost: &Cost) -> Part {
        let mut part = Part::new(name, title);
        if self.tasks == 0 {
            return part;
        }
        part.add("With lazy pruning and without large blocks.");
        let what = cost.name;
        let mut table = Table::new(
            ["domain", "solved by both"]
                .map(str::to_owned)
                .into_iter()
                .chain(["BASIC", "AAPOR"].map(|por| format!("mean {what} {por}")))
                .chain(["BASIC / AAPOR".to_owned()]),
        );
        for (domain, _) in DOMAINS {
            let of = |por: &str| self.cost(&format!("{domain} LAZY NO_LBE {por}"), cost);
            let (basic, aware) = (of("BASIC"), of("AAPOR"));
            let both: Vec<&str> = basic
                .keys()
                .filter(|t| aware.contains_key(*t))
                .copied()
                .collect();
            let mean = |of: &BTreeMap<&str, f64>| {
                both.iter().map(|task| of[task]).sum::<f64>() / both.len() as f64
            };
            let (one, other) = (mean(&basic), mean(&aware));
            let texts = [one, other].map(|mean| format!("{mean:.2}"));
            let line = [domain.to_owned(), both.len().to_string()].into_iter();
            table.row(line.chain(texts).chain([format!("{:.2}", one / other)]));
            let series = REDUCTIONS.map(|(por, _)| Series {
                name: por.to_owned(),
                costs: of(por).into_values().collect(),
            });
            let figure = title.split(':').next().unwrap_or_default();
            let title = format!("{figure}: {what}, {domain}");
            let number = figure.replace("Figure ", "").replace('.', "-");
            let file = format!(
                "1-figure-{number}-{}-{}.svg",
                domain.to_lowercase(),
                cost.file
            );
            part.picture(&file, &title, quantile(&title, what, &series));
        }
        part.add(table);
        part
    }
}
