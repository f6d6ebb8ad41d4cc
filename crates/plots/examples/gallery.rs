//! Writes one picture of each kind into the current folder, to look at.

use plots::{Bars, Pair, Scatter, Series, bars, quantile, scatter};

fn main() -> std::io::Result<()> {
    let costs = |factor: f64, count: u32| (1..=count).map(move |n| factor * 1.12f64.powi(n as i32));
    let series = [
        ("bmc", 0.02, 80),
        ("cegar <fast>", 0.05, 60),
        ("auto", 0.03, 95),
    ]
    .map(|(name, factor, count)| Series {
        name: name.into(),
        costs: costs(factor, count).collect(),
    });
    let title = "Tasks solved within a time";
    std::fs::write("quantile.svg", quantile(title, "CPU time (s)", &series))?;

    let mut pairs: Vec<Pair> = costs(0.02, 60)
        .zip(costs(0.5, 60).rev())
        .map(|(x, y)| Pair {
            x: Some(x),
            y: Some(y),
        })
        .collect();
    pairs.extend(costs(0.1, 20).map(|x| Pair {
        x: Some(x),
        y: None,
    }));
    pairs.extend(costs(0.7, 9).map(|y| Pair {
        x: None,
        y: Some(y),
    }));
    let figure = Scatter {
        title: "CPU time, task by task",
        x: "bmc, CPU time (s)",
        y: "cegar, CPU time (s)",
        pairs: &pairs,
    };
    std::fs::write("scatter.svg", scatter(&figure))?;

    let rows = [
        ("dining philosophers", vec![0.5, 12.0, 130.0]),
        ("indexer", vec![5.0, f64::NAN, 2200.0]),
        ("barbershop", vec![0.02, 0.3, 1.0]),
    ];
    let table = Bars {
        title: "Executions until the first bug",
        figure: "executions",
        columns: &["fusion", "dpor with regions", "random"],
        rows: &rows,
        log: true,
    };
    std::fs::write("bars.svg", bars(&table))?;
    let linear = Bars {
        log: false,
        ..table
    };
    std::fs::write("bars-linear.svg", bars(&linear))
}
