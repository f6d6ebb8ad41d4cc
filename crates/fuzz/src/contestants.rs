//! Who answers: engines with settings.

use analysis::por::Base;
use verdict::{Answer, Budget, Property, Task};

/// An engine with settings.
pub struct Contestant {
    /// What it is called.
    pub name: &'static str,
    /// For which properties.
    pub answers: fn(Property) -> bool,
    /// How it runs.
    pub run: fn(&Task, &Budget) -> Answer,
}

fn locations(property: Property) -> bool {
    matches!(property, Property::Reach | Property::Overflow)
}

fn orders(property: Property) -> bool {
    !matches!(property, Property::MemSafety | Property::Termination)
}

fn races(property: Property) -> bool {
    property == Property::Race
}

/// The judge: every other answer is compared with it, too.
pub const REFERENCE: Contestant = Contestant {
    name: "explore",
    answers: |_| true,
    run: |task, budget| explore::check(task, &explore::Config::default(), budget, &mut |_| ()),
};

fn cegar_with(task: &Task, budget: &Budget, domain: cegar::Domain, por: Base) -> Answer {
    let config = cegar::Config {
        domain,
        por,
        ..cegar::Config::default()
    };
    cegar::check(task, &config, budget)
}

fn bmc_with(task: &Task, budget: &Budget, change: impl FnOnce(&mut bmc::Config)) -> Answer {
    let mut config = bmc::Config::default();
    change(&mut config);
    bmc::check(task, &config, budget)
}

fn horn_with(task: &Task, budget: &Budget, reduction: bool) -> Answer {
    let config = horn::Config {
        reduction,
        ..horn::Config::default()
    };
    horn::check(task, &config, budget)
}

/// All others.
pub const CONTESTANTS: &[Contestant] = &[
    Contestant {
        name: "bmc",
        answers: orders,
        run: |task, budget| bmc_with(task, budget, |_| ()),
    },
    Contestant {
        name: "bmc z3",
        answers: orders,
        run: |task, budget| bmc_with(task, budget, |c| c.backend = bmc::Backend::Z3),
    },
    Contestant {
        name: "bmc scheduler",
        answers: locations,
        run: |task, budget| bmc_with(task, budget, |c| c.encoding = bmc::Encoding::Scheduler),
    },
    Contestant {
        name: "cegar",
        answers: locations,
        run: |task, budget| cegar::check(task, &cegar::Config::default(), budget),
    },
    Contestant {
        name: "cegar predicates, basic",
        answers: locations,
        run: |task, budget| cegar_with(task, budget, cegar::Domain::Cartesian, Base::Basic),
    },
    Contestant {
        name: "cegar values, source sets",
        answers: locations,
        run: |task, budget| cegar_with(task, budget, cegar::Domain::Explicit, Base::Source),
    },
    Contestant {
        name: "horn",
        answers: |property| locations(property) || property == Property::Termination,
        run: |task, budget| horn_with(task, budget, true),
    },
    Contestant {
        name: "horn without reduction",
        answers: locations,
        run: |task, budget| horn_with(task, budget, false),
    },
    Contestant {
        name: "fusion",
        answers: orders,
        run: |task, budget| fusion::check(task, &fusion::Config::default(), budget),
    },
    Contestant {
        name: "matching",
        answers: |property| property != Property::Termination,
        run: |task, budget| matching::check(task, &matching::Config::default(), budget),
    },
    Contestant {
        name: "lockset",
        answers: races,
        run: |task, budget| lockset::check(task, budget),
    },
];
