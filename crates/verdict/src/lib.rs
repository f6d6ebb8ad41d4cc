//! Tasks, verdicts, evidence and budgets.
