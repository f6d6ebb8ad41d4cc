//! Links and pictures lead somewhere, and the table of contents names every page.

use crate::pages::{self, Page};

/// The targets of `[text](target)` and `![text](target)` outside of fenced blocks.
fn targets(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        if fenced {
            continue;
        }
        let ends = line.split("](").skip(1);
        targets.extend(ends.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())));
    }
    targets
}

/// The target as a path, if it is a file of ours.
fn path_of(target: &str) -> Option<&str> {
    let path = target.split('#').next().unwrap_or("");
    (!path.is_empty() && !path.contains("://")).then_some(path)
}

fn broken(page: &Page) -> Vec<String> {
    let folder = page.path.parent().unwrap();
    let targets = targets(&page.text);
    let missing = targets.iter().filter(|target| {
        let path = path_of(target);
        path.is_some_and(|path| !folder.join(path).is_file())
    });
    missing
        .map(|target| format!("{}: there is no {target}", page.name))
        .collect()
}

#[test]
fn links_and_pictures_exist() {
    let broken: Vec<String> = pages::all().iter().flat_map(broken).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_summary_names_every_page_once() {
    let docs = pages::root().join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let named = targets(&summary);
    for page in pages::all() {
        let Some(name) = page.name.strip_prefix("docs/") else {
            continue;
        };
        let times = named.iter().filter(|target| *target == name).count();
        let wanted = usize::from(name != "SUMMARY.md");
        assert_eq!(times, wanted, "docs/SUMMARY.md names {name} {times} times");
    }
}

#[test]
fn every_picture_is_used() {
    let pages = pages::all();
    let pictures = pages::root().join("docs/pictures");
    for entry in std::fs::read_dir(pictures).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let used = pages.iter().any(|page| page.text.contains(&name));
        assert!(used, "no page shows docs/pictures/{name}");
    }
}

#[test]
fn targets_of_links() {
    let text = "a [b](c.md#d) ![e](f.png)\n```\n[no](g.md)\n```\n[h](https://i)";
    assert_eq!(targets(text), ["c.md#d", "f.png", "https://i"]);
    assert_eq!(path_of("c.md#d"), Some("c.md"));
    assert_eq!(path_of("https://i"), None);
    assert_eq!(path_of("#here"), None);
}
