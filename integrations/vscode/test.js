// Runs the extension with stand-ins for the editor: `node test.js`.
const assert = require("assert");
const Module = require("module");

const seen = { commands: {}, providers: [], panels: [] };
const editor = {
    workspace: { getConfiguration: () => ({ get: (name, other) => (name === "path" ? "/bin/mazurka" : other) }) },
    commands: { registerCommand: (name, run) => { seen.commands[name] = run; return {}; } },
    languages: { registerCodeActionsProvider: (language, it) => { seen.providers.push(it); return {}; } },
    window: { createWebviewPanel: (...how) => { const panel = { how, webview: {} }; seen.panels.push(panel); return panel; } },
    CodeActionKind: { QuickFix: "quickfix" },
    ViewColumn: { Beside: -2 },
};
class LanguageClient {
    constructor(id, name, server, options) { Object.assign(this, { server, options }); seen.client = this; }
    async start() { this.started = true; }
    async stop() { this.started = false; }
    async sendRequest(method, params) { seen.request = { method, params }; return { html: "<p>steps</p>" }; }
}
const load = Module._load;
Module._load = (name, ...rest) =>
    name === "vscode" ? editor : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);

(async () => {
    const extension = require("./extension.js");
    const context = { subscriptions: [] };
    await extension.activate(context);
    assert.deepStrictEqual(seen.client.server, { command: "/bin/mazurka", args: ["lsp"] });
    assert.ok(seen.client.started && context.subscriptions.length === 2);

    const data = { property: "race", entry: "main", number: 2 };
    const document = { uri: { toString: () => "file:///a.c" } };
    const diagnostics = [{ source: "mazurka", data }, { source: "mazurka" }, { source: "gcc", data }];
    const actions = seen.providers[0].provideCodeActions(document, null, { diagnostics });
    assert.strictEqual(actions.length, 1);

    await seen.commands[actions[0].command.command](...actions[0].command.arguments);
    assert.deepStrictEqual(seen.request, {
        method: "workspace/executeCommand",
        params: { command: "mazurka.schedule", arguments: ["file:///a.c", "main", "race", 2] },
    });
    assert.strictEqual(seen.panels[0].webview.html, "<p>steps</p>");
    const { contributes } = require("./package.json");
    assert.deepStrictEqual(contributes.commands.map((it) => it.command), Object.keys(seen.commands));
    await extension.deactivate();
    assert.ok(!seen.client.started);
    console.log("passed");
})().catch((error) => { console.error(error); process.exit(1); });
