use super::*;

const HASH: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn sequence() -> String {
    format!(
        r#"
- entry_type: violation_sequence
  metadata:
    format_version: "2.2"
    uuid: "00112233-4455-6677-8899-aabbccddeeff"
    creation_time: "2026-01-31T08:05:00+01:00"
    producer: {{name: "someone", version: "1"}}
    task:
      input_files: ["a.c"]
      input_file_hashes: {{"a.c": "{HASH}"}}
      specification: "CHECK( init(main()), LTL(G ! data-race) )"
      data_model: ILP32
      language: C
  content:
  - segment:
    - waypoint:
        type: function_return
        action: follow
        thread_id: 0
        constraint: {{format: acsl_expression, value: '\result == 4'}}
        location: {{file_name: "a.c", line: 3, column: 7, function: main}}
  - segment:
    - waypoint: {{type: target, action: follow, thread_id: 1, location: {{file_name: "a.c", line: 4}}}}
    - waypoint: {{type: target, action: follow, thread_id: 2, location: {{file_name: "a.c", line: 5}}}}
"#
    )
}

/// The one complaint after a change of a witness in which nothing is wrong.
fn complaint(text: &str, from: &str, to: &str) -> String {
    assert_eq!(lint(text, &[]), [""; 0], "before the change");
    assert!(text.contains(from), "{from}");
    lint(&text.replacen(from, to, 1), &[]).join("; ")
}

#[test]
fn sequences() {
    let text = sequence();
    let check = |from: &str, to: &str, expected: &str| {
        let found = complaint(&text, from, to);
        assert!(found.contains(expected), "{from} -> {to}: {found}");
    };
    check("\"2.2\"", "\"2.0\"", "`thread_id` came with version 2.2");
    check("\"2.2\"", "\"7\"", "format version `7` is not known");
    check("\"2.2\"", "2.2", "`format_version` is not a string");
    check("00112233-", "", "is not a UUID");
    check("+01:00", "", "with a zone");
    check("type: target", "type: goal", "`goal` is not a type");
    check("line: 4", "line: 0", "is not a line");
    check("line: 4", "lines: 4", "has no `line`");
    check("\\result == 4", "x == 4", "is not `\\result`");
    check("acsl_expression", "c_expression", "is not the format");
    check(
        "action: follow",
        "action: avoid",
        "does not end with one waypoint to follow",
    );
    check("ILP32", "ILP64", "neither ILP32 nor LP64");
    check(HASH, "12", "no SHA-256 hash");
    check("data-race", "war", "is not a known property");
    check("name: \"someone\", ", "", "has no `name`");
    check(
        "file_name: \"a.c\", line: 4",
        "file_name: \"b.c\", line: 4",
        "is not an input file",
    );
    check(
        "  - segment:\n    - waypoint: {type: target",
        "    - waypoint: {type: target",
        "does not end",
    );
}

#[test]
fn hashes_and_lines_of_the_program() {
    let empty = LintFile::new(b"");
    assert_eq!(empty.sha256, HASH);
    let found = lint(&sequence(), &[empty]).join("; ");
    assert!(found.contains("is not a line of the file"), "{found}");
    assert!(!found.contains("hash"), "{found}");
    let found = lint(&sequence(), &[LintFile::new(b"\n\n\n\n\n\n")]).join("; ");
    assert_eq!(found, "the hash of `a.c` is not that of the program");
}

const GRAPH: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
 <key id="witness-type" attr.type="string" for="graph"/>
 <key id="sourcecodelang" attr.type="string" for="graph"/>
 <key id="producer" attr.type="string" for="graph"/>
 <key id="specification" attr.type="string" for="graph"/>
 <key id="programfile" attr.type="string" for="graph"/>
 <key id="programhash" attr.type="string" for="graph"/>
 <key id="architecture" attr.type="string" for="graph"/>
 <key id="creationtime" attr.type="string" for="graph"/>
 <key id="entry" attr.type="boolean" for="node"><default>false</default></key>
 <key id="violation" attr.type="boolean" for="node"/>
 <key id="startline" attr.type="int" for="edge"/>
 <key id="assumption" attr.type="string" for="edge"/>
 <key id="assumption.resultfunction" attr.type="string" for="edge"/>
 <graph edgedefault="directed">
  <data key="witness-type">violation_witness</data>
  <data key="sourcecodelang">C</data>
  <data key="producer">someone</data>
  <data key="specification">CHECK( init(main()), LTL(G ! call(reach_error())) )</data>
  <data key="programfile">a.c</data>
  <data key="programhash">e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855</data>
  <data key="architecture">32bit</data>
  <data key="creationtime">2026-01-31T08:05:00Z</data>
  <node id="a"><data key="entry">true</data></node>
  <node id="b"><data key="violation">true</data></node>
  <edge source="a" target="b">
   <data key="startline">3</data>
   <data key="assumption">\result &lt; 3</data>
   <data key="assumption.resultfunction">f</data>
  </edge>
 </graph>
</graphml>
"#;

#[test]
fn graphs() {
    let check = |from: &str, to: &str, expected: &str| {
        let found = complaint(GRAPH, from, to);
        assert!(found.contains(expected), "{from} -> {to}: {found}");
    };
    check(
        "xmlns=\"http://graphml.graphdrawing.org/xmlns\" ",
        "",
        "default namespace",
    );
    check("xmlns:xsi", "xmlns:x", "the prefix `xsi`");
    check("directed", "undirected", "`edgedefault`");
    check(
        " <key id=\"startline\" attr.type=\"int\" for=\"edge\"/>\n",
        "",
        "`startline` is used",
    );
    check("for=\"edge\"", "for=\"node\"", "is for edges");
    check("<default>false", "<default>true", "is not `false`");
    check(
        "violation_witness",
        "witness",
        "`witness-type` has an unknown value",
    );
    check(
        "violation_witness",
        "correctness_witness",
        "does not belong into a witness of this type",
    );
    check(
        "<data key=\"producer\">someone</data>",
        "",
        "`producer` is said 0 times",
    );
    check("32bit", "16bit", "`architecture`");
    check("T08", " 08", "`creationtime`");
    check(
        "key=\"entry\">true",
        "key=\"entry\">maybe",
        "neither true nor false",
    );
    check("key=\"entry\">true", "key=\"entry\">false", "0 entry nodes");
    check(
        "key=\"violation\">true",
        "key=\"violation\">false",
        "no violation node",
    );
    check("target=\"b\"", "target=\"c\"", "there is no node `c`");
    check("target=\"b\"", "target=\"a\"", "a loop at one node");
    check("startline\">3", "startline\">0", "is not a line");
    check(
        "   <data key=\"assumption.resultfunction\">f</data>\n",
        "",
        "whose result",
    );
    check("</graph>", "", "not well-formed");
    check("<node id=\"b\">", "<node id=\"a\">", "two nodes `a`");
}
