//! How often each kind of program is drawn.

use generator::{Class, Rng};
use std::fmt;
use std::str::FromStr;

/// The name of programs that are of no class.
pub const PLAIN: &str = "plain";

/// Weights of kinds of programs; nothing stands for plain ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mix {
    weights: Vec<(Option<Class>, usize)>,
}

impl Default for Mix {
    /// Plain programs as often as all classes together.
    fn default() -> Mix {
        let classes = Class::ALL.into_iter().map(|class| (Some(class), 1));
        let plain = (None, Class::ALL.len());
        Mix {
            weights: std::iter::once(plain).chain(classes).collect(),
        }
    }
}

impl Mix {
    /// One kind of program.
    pub fn pick(&self, rng: &mut Rng) -> Option<Class> {
        let total = self.weights.iter().map(|(_, weight)| weight).sum();
        let mut at = rng.below(total);
        for (class, weight) in &self.weights {
            if at < *weight {
                return *class;
            }
            at -= weight;
        }
        None
    }
}

/// The name of a kind of program.
pub fn name(class: Option<Class>) -> &'static str {
    class.map_or(PLAIN, Class::name)
}

impl FromStr for Mix {
    type Err = String;

    /// Names with commas between them, each with a weight if it is not 1: `plain=3,unlocks`.
    fn from_str(text: &str) -> Result<Mix, String> {
        let mut weights = Vec::new();
        for part in text.split(',') {
            let (name, weight) = part.split_once('=').unwrap_or((part, "1"));
            let weight = weight
                .parse()
                .map_err(|_| format!("`{weight}` is no weight"))?;
            match name {
                PLAIN => weights.push((None, weight)),
                "all" => weights.extend(Class::ALL.map(|class| (Some(class), weight))),
                _ => weights.push((Some(name.parse()?), weight)),
            }
        }
        match weights.iter().any(|(_, weight)| *weight > 0) {
            true => Ok(Mix { weights }),
            false => Err("all weights are 0".to_owned()),
        }
    }
}

impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.weights.iter();
        let parts = parts.map(|(class, weight)| match weight {
            1 => name(*class).to_owned(),
            _ => format!("{}={weight}", name(*class)),
        });
        f.write_str(&parts.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_and_obeyed() {
        let mix: Mix = "plain=0,reuse,files=3".parse().unwrap();
        let mut rng = Rng::new(1);
        let drawn: Vec<_> = (0..400).map(|_| mix.pick(&mut rng)).collect();
        let count = |class| drawn.iter().filter(|drawn| **drawn == class).count();
        assert_eq!(count(None), 0);
        let (reuse, files) = (count(Some(Class::Reuse)), count(Some(Class::Files)));
        assert_eq!(reuse + files, 400);
        assert!(files > 2 * reuse && reuse > 50, "{reuse} {files}");
        for wrong in ["", "plain=0", "plain=x", "locks"] {
            assert!(wrong.parse::<Mix>().is_err(), "{wrong}");
        }
        let all = Mix::default();
        assert_eq!(all.to_string().parse(), Ok(all));
        assert_eq!(
            "all".parse::<Mix>().unwrap().weights.len(),
            Class::ALL.len()
        );
    }
}
