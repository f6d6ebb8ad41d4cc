// The extension starts `mazurka lsp` and shows schedules in a panel. Diagnostics and the lines "Check this program" and
// "Check this function" come from the server.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

/** Starts the server, and restarts nothing: settings are sent to it when they change. */
async function activate(context) {
    const settings = vscode.workspace.getConfiguration("mazurka");
    const server = { command: settings.get("path", "mazurka"), args: ["lsp"] };
    client = new LanguageClient("mazurka", "Mazurka", server, {
        documentSelector: [{ scheme: "file", language: "c" }],
        initializationOptions: settings,
        synchronize: { configurationSection: "mazurka" },
    });
    context.subscriptions.push(
        vscode.commands.registerCommand("mazurka.showSchedule", showSchedule),
        vscode.languages.registerCodeActionsProvider("c", { provideCodeActions }),
    );
    await client.start();
}

function deactivate() {
    return client?.stop();
}

/** Offers the schedule of each finding under the cursor. */
function provideCodeActions(document, range, context) {
    const own = context.diagnostics.filter((it) => it.source === "mazurka" && it.data);
    return own.map((it) => ({
        title: "Show the schedule",
        kind: vscode.CodeActionKind.QuickFix,
        diagnostics: [it],
        command: {
            title: "Show the schedule",
            command: "mazurka.showSchedule",
            arguments: [document.uri.toString(), it.data],
        },
    }));
}

/** Asks the server for the page of a finding. The page has a security policy of its own, and needs no network. */
async function showSchedule(uri, finding) {
    const { html } = await client.sendRequest("workspace/executeCommand", {
        command: "mazurka.schedule",
        arguments: [uri, finding.entry, finding.property, finding.number],
    });
    const panel = vscode.window.createWebviewPanel(
        "mazurka", "Schedule", vscode.ViewColumn.Beside, { enableScripts: true },
    );
    panel.webview.html = html;
}

module.exports = { activate, deactivate };
