//! Random settings for every engine, so that a campaign covers all of them.

use crate::contestant::{Contestant, How};
use analysis::por::{Base, Dependence};
use std::path::Path;
use testkit::{Preparation, Rng};
use verdict::Property;

/// So often, of a hundred, a setting is left as it is by default.
const DEFAULT: usize = 40;

/// Everybody but the reference.
const ENGINES: [&str; 8] = [
    "bmc", "cegar", "horn", "fusion", "matching", "lockset", "auto", "explore",
];

/// Can this engine answer for the property?
fn answers(engine: &str, property: Property) -> bool {
    let locations = matches!(property, Property::Reach | Property::Overflow);
    let ends = property == Property::Termination;
    match engine {
        "cegar" => locations,
        "horn" => locations || ends,
        "lockset" => property == Property::Race,
        "bmc" | "fusion" => !ends && property != Property::MemSafety,
        "matching" => !ends,
        _ => true,
    }
}

/// Some engines for the property, at random, each with random settings. `command` is what `auto`
/// runs.
pub fn contestants(
    rng: &mut Rng,
    property: Property,
    most: usize,
    command: Option<&Path>,
) -> Vec<Contestant> {
    let mut fitting: Vec<&'static str> = ENGINES
        .into_iter()
        .filter(|engine| answers(engine, property) && (*engine != "auto" || command.is_some()))
        .collect();
    // The command costs as much as several engines, and exploration has been asked already.
    if !rng.chance(15) {
        fitting.retain(|engine| *engine != "auto");
    }
    if !rng.chance(25) {
        fitting.retain(|engine| *engine != "explore");
    }
    while fitting.len() > most {
        fitting.remove(rng.below(fitting.len()));
    }
    let mut drawing = Drawing {
        rng,
        settings: Vec::new(),
    };
    let drawn = fitting.into_iter();
    drawn
        .map(|engine| drawing.contestant(engine, property, command))
        .collect()
}

struct Drawing<'a> {
    rng: &'a mut Rng,
    settings: Vec<String>,
}

impl Drawing<'_> {
    fn contestant(
        &mut self,
        engine: &'static str,
        property: Property,
        command: Option<&Path>,
    ) -> Contestant {
        let mut preparation = Preparation::Full;
        let how = match engine {
            "bmc" => How::Bmc(self.bmc(property)),
            "cegar" => How::Cegar(self.cegar()),
            "horn" => How::Horn(self.horn(property)),
            "fusion" => How::Fusion(self.fusion()),
            "matching" => How::Matching(self.matching()),
            "lockset" => How::Lockset,
            "auto" => {
                if self.rng.chance(30) {
                    self.settings.push("--paranoid".into());
                }
                How::Auto(command.map(Path::to_owned).unwrap_or_default())
            }
            _ => {
                preparation = self.rng.pick(&[
                    Preparation::Plain,
                    Preparation::Passes,
                    Preparation::LargeBlocks,
                ]);
                self.settings.push(format!("({preparation:?})"));
                How::Explore(self.explore())
            }
        };
        Contestant {
            engine,
            settings: std::mem::take(&mut self.settings),
            preparation,
            how,
        }
    }

    /// One of the values, the first more often than the others; the settings name it.
    fn pick<T: Copy>(&mut self, option: &str, values: &[(&str, T)]) -> T {
        let (name, value) = match self.rng.chance(DEFAULT) {
            true => values[0],
            false => self.rng.pick(values),
        };
        self.settings.push(format!("{option} {name}"));
        value
    }

    fn explore(&mut self) -> explore::Config {
        let search = match self.rng.chance(50) {
            true => explore::Search::Breadth,
            false => explore::Search::Depth,
        };
        explore::Config { search }
    }

    fn bmc(&mut self, property: Property) -> bmc::Config {
        use bmc::{Backend, Encoding, Reduction};
        let mut config = bmc::Config::default();
        if matches!(property, Property::Reach | Property::Overflow) {
            let encodings = [
                ("ordering", Encoding::Ordering),
                ("scheduler", Encoding::Scheduler),
            ];
            config.encoding = self.pick("--encoding", &encodings);
        }
        if config.encoding == Encoding::Scheduler {
            let reductions = [
                ("full", Reduction::Full),
                ("none", Reduction::None),
                ("static", Reduction::Static),
                ("simple", Reduction::Simple),
            ];
            config.reduction = self.pick("--ppor", &reductions);
        } else {
            let backends = [("sat", Backend::Sat), ("z3", Backend::Z3)];
            config.backend = self.pick("--backend", &backends);
        }
        config
    }

    fn cegar(&mut self) -> cegar::Config {
        use cegar::{Domain, Prune, Refine, Search};
        let domains = [
            ("product", Domain::Product),
            ("expl", Domain::Explicit),
            ("pred-cart", Domain::Cartesian),
            ("pred-bool", Domain::Boolean),
        ];
        let reductions = [
            ("aware", Base::Aware),
            ("none", Base::None),
            ("basic", Base::Basic),
            ("source", Base::Source),
        ];
        let dependences = [("ours", Dependence::Ours), ("paper", Dependence::Paper)];
        let refinements = [
            ("wp", Refine::Wp),
            ("sp", Refine::Sp),
            ("spacer", Refine::Spacer),
        ];
        let orders = [
            ("dfs", Search::Dfs),
            ("bfs", Search::Bfs),
            ("error", Search::Error),
        ];
        cegar::Config {
            domain: self.pick("--domain", &domains),
            por: self.pick("--por", &reductions),
            dependence: self.pick("--dependence", &dependences),
            prune: self.pick("--prune", &[("lazy", Prune::Lazy), ("full", Prune::Full)]),
            search: self.pick("--search", &orders),
            refine: self.pick("--refine", &refinements),
            ..cegar::Config::default()
        }
    }

    fn horn(&mut self, property: Property) -> horn::Config {
        use horn::{Index, Inference};
        let inferences = [("flow", Inference::Flow), ("clauses", Inference::Clauses)];
        let mut config = horn::Config {
            reduction: self.pick("--reduction", &[("on", true), ("off", false)]),
            inference: self.pick("--inference", &inferences),
            ..horn::Config::default()
        };
        if property != Property::Termination {
            let indices = [
                ("auto", Index::Auto),
                ("1", Index::Threads(1)),
                ("2", Index::Threads(2)),
                ("3", Index::Threads(3)),
            ];
            config.index = self.pick("--index", &indices);
        }
        config
    }

    fn fusion(&mut self) -> fusion::Config {
        use fusion::Dpor;
        let reductions = [
            ("optimal", Dpor::Optimal),
            ("none", Dpor::None),
            ("classic", Dpor::Classic),
            ("source", Dpor::Source),
        ];
        fusion::Config {
            dpor: self.pick("--dpor", &reductions),
            check: self.pick("--check", &[("on", true), ("off", false)]),
            prune: self.pick("--prune", &[("off", false), ("on", true)]),
            jobs: self.pick("--jobs", &[("1", 1), ("1", 1), ("1", 1), ("2", 2)]),
            ..fusion::Config::default()
        }
    }

    fn matching(&mut self) -> matching::Config {
        use matching::{Search, Strategy};
        let strategies = [
            ("min-only", Strategy::MinOnly),
            ("amcs", Strategy::Amcs),
            ("add-all", Strategy::AddAll),
            ("no-prover", Strategy::NoProver),
            ("max-overlap", Strategy::MaxOverlap),
            ("min-set", Strategy::MinSet),
            ("random-dfs", Strategy::RandomDfs),
        ];
        let mut config = matching::Config {
            strategy: self.pick("--strategy", &strategies),
            por: self.pick("--por", &[("on", true), ("off", false)]),
            seed: self.rng.next_u64() % 1000,
            ..matching::Config::default()
        };
        if config.strategy.compares_values() {
            config.symmetry = self.pick("--symmetry", &[("on", true), ("off", false)]);
        }
        if config.strategy.splits() {
            config.frugal = self.pick("--frugal", &[("off", false), ("on", true)]);
        }
        if config.strategy != Strategy::RandomDfs {
            let orders = [
                ("bfs", Search::Bfs),
                ("dfs", Search::Dfs),
                ("error", Search::Error),
            ];
            config.search = self.pick("--search", &orders);
        }
        config
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_engine_and_every_setting_is_drawn() {
        let properties = [
            Property::Reach,
            Property::Race,
            Property::Deadlock,
            Property::Overflow,
            Property::MemSafety,
            Property::Termination,
        ];
        let (mut engines, mut settings) = (BTreeSet::new(), BTreeSet::new());
        for seed in 0..3000 {
            let mut rng = Rng::new(seed);
            let property = rng.pick(&properties);
            for drawn in contestants(&mut rng, property, 3, Some(Path::new("mazurka"))) {
                assert!(answers(drawn.engine, property), "{}", drawn.name());
                engines.insert(drawn.engine);
                let named = drawn.settings.iter();
                settings.extend(named.map(|setting| format!("{} {setting}", drawn.engine)));
            }
        }
        assert_eq!(engines.len(), ENGINES.len(), "{engines:?}");
        // bmc 8, cegar 18, horn 8, fusion 10, matching 16, auto 1, explore 3.
        assert_eq!(settings.len(), 64, "{settings:#?}");
    }
}
