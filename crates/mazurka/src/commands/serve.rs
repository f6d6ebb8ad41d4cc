//! `mazurka serve`: a local page to write programs, check them and read the reports.

use crate::args::{AUTO, ServeArgs};
use crate::failure::{Exit, Failure};
use crate::output;
use crate::pipeline;
use driver::Registry;
use serve::{Choice, Config};
use verdict::Property;

/// Runs the command until it is interrupted.
pub fn run(args: &ServeArgs) -> Result<Exit, Failure> {
    let checker = std::env::current_exe()
        .map_err(|error| Failure::refused(format!("cannot find this program: {error}")))?;
    // Pages check under sequential consistency.
    let properties = Property::all_where(|it| !it.is_about_weak_memory());
    let all = Choice {
        name: pipeline::ALL,
        text: "each of these properties, with an answer for each",
    };
    let one = |property: Property| Choice {
        name: property.name(),
        text: property.demands(),
    };
    let properties = properties.into_iter().map(one);
    let config = Config {
        listen: args.listen,
        names: args.host.clone(),
        checker,
        most_bytes: (args.size as usize) << 10,
        timeout: args.timeout,
        memory: args.memory >> 20,
        most_checks: usize::from(args.checks),
        properties: std::iter::once(all).chain(properties).collect(),
        engines: [&[AUTO], Registry::standard().names().as_slice()].concat(),
    };
    let served = serve::run(config, |address| {
        output::print(&format!(
            "Mazurka is at http://{address}/ (Ctrl-C ends it)\n"
        ));
        if !address.ip().is_loopback() {
            output::print("Every client that can reach this address can run checks here.\n");
        }
    });
    match served {
        Ok(()) => Ok(Exit::Safe),
        Err(error) => {
            let what = format!("cannot listen on {}: {error}", args.listen);
            Err(Failure::refused(what))
        }
    }
}
