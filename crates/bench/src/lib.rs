//! Task definitions, runs of whole suites, and their tables.
