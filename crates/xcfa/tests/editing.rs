//! Edges that are taken away, and what is left.

use automata::parse;
use expect_test::expect;

const TEXT: &str = "proc main()
   in -> 1: t := 1
   1 -> 2: t := 2
   1 -> 3: t := 3
   2 -> out: t := 4
   3 -> out: t := 5";

#[test]
fn what_nothing_leads_to_any_more_goes_too() {
    let mut xcfa = parse(TEXT);
    let gone = xcfa[xcfa.edge_ids().nth(2).unwrap()].labels.clone();
    xcfa.retain_edges(|_, edge| edge.labels != gone);
    let edges: Vec<String> = xcfa.edges.iter().map(|edge| xcfa.show_edge(edge)).collect();
    expect![[r#"
        L0 -> L2: t := 1
        L2 -> L3: t := 2
        L3 -> L1: t := 4"#]]
    .assert_eq(&edges.join("\n"));
}

#[test]
fn first_and_last_location_stay() {
    let mut xcfa = parse(TEXT);
    xcfa.retain_edges(|_, _| false);
    let main = &xcfa[xcfa.main];
    assert_ne!(main.init, main.exit);
    assert_eq!((xcfa.locs.len(), xcfa.edges.len()), (2, 0));
}

#[test]
fn every_edge_is_listed_at_both_ends() {
    let mut xcfa = parse(TEXT);
    xcfa.retain_edges(|id, _| id.0 != 4);
    for id in xcfa.edge_ids() {
        let edge = &xcfa[id];
        assert!(xcfa[edge.source].out.contains(&id));
        assert!(xcfa[edge.target].inc.contains(&id));
    }
    let listed: usize = xcfa.locs.iter().map(|loc| loc.out.len()).sum();
    assert_eq!(listed, xcfa.edges.len());
}
