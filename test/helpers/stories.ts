/** A file that a reader opens next. One that is handed in from outside names the file that wires it. */
export type StoryStep = string | {readonly file: string; readonly wiredBy: string};

/** The files that a reader opens along the three stories of the program, in reading order. */
export const stories: Readonly<Record<string, readonly StoryStep[]>> = {
	'a webhook, from its request to its answer': [
		'webhooks/http/server.ts',
		'webhooks/http/connection-tracker.ts',
		'webhooks/http/incoming-request.ts',
		{file: 'webhooks/http/listener.ts', wiredBy: 'webhooks/webhook-adapter.ts'},
		{file: 'webhooks/webhook-adapter.ts', wiredBy: 'gateway/webhook-service.ts'},
		'webhooks/pipeline/request-handler.ts',
		'webhooks/pipeline/request-context.ts',
		'util/random-id.ts',
		'util/in-flight.ts',
		'webhooks/routes/route-table.ts',
		'webhooks/routes/prepared-route.ts',
		'webhooks/pipeline/check-headers.ts',
		'webhooks/signature/signature.ts',
		'webhooks/signature/signing-key.ts',
		'webhooks/signature/scheme-verifier.ts',
		'webhooks/http/route-limits.ts',
		'webhooks/http/body.ts',
		'webhooks/pipeline/receive.ts',
		'webhooks/signature/delivery-id.ts',
		'webhooks/payload/payload.ts',
		'webhooks/payload/exact-json.ts',
		'webhooks/filters/filter.ts',
		'webhooks/filters/list-file.ts',
		'webhooks/payload/field-path.ts',
		'webhooks/script/script.ts',
		'webhooks/script/script-process.ts',
		'webhooks/pipeline/dispatch.ts',
		'webhooks/template/template.ts',
		'webhooks/pipeline/deliver-now.ts',
		'webhooks/coalesce/coalescer.ts',
		'webhooks/coalesce/coalesce-group.ts',
		'webhooks/pipeline/event-rows.ts',
		{file: 'journal/create-journal.ts', wiredBy: 'journal/attended-journal.ts'},
		'journal/request-batches.ts',
		{file: 'journal/sqlite/storage-thread.ts', wiredBy: 'journal/attended-journal.ts'},
		{file: 'journal/sqlite/operations.ts', wiredBy: 'journal/sqlite/storage-worker.ts'},
		'journal/sqlite/transactions.ts',
		'journal/sqlite/events.ts',
		'journal/sqlite/waiting-runs.ts',
		'webhooks/http/outcome.ts',
	],
	'a tool call, from a run to its result': [
		'agent/server-tools.ts',
		{file: 'agent/use-tool.ts', wiredBy: 'agent/run-tools.ts'},
		'tools/call-tool.ts',
		'tools/validate-call.ts',
		'tools/registered-tool.ts',
		{file: 'tools/catalogue.ts', wiredBy: 'gateway/tool-service.ts'},
		'tools/authorize-call.ts',
		'approvals/policy.ts',
		'approvals/remembered-rules.ts',
		'approvals/definition-difference.ts',
		'tools/approval-request.ts',
		'tools/show-arguments.ts',
		'approvals/approval-queue.ts',
		'approvals/pending-requests.ts',
		'approvals/approval-state.ts',
		'tools/call-report.ts',
		{file: 'journal/sqlite/calls.ts', wiredBy: 'journal/sqlite/transactions.ts'},
		'mcp/connection.ts',
		{file: 'mcp/connections.ts', wiredBy: 'gateway/tool-service.ts'},
		'mcp/calls/open-connection.ts',
		'mcp/server-requests/open-requests.ts',
		'mcp/calls/call-deadline.ts',
		'mcp/calls/breaker.ts',
		'mcp/calls/call-queue.ts',
		'mcp/session/session-manager.ts',
		'mcp/session/connection-state.ts',
		'mcp/session/session.ts',
		'mcp/session/session-health.ts',
		'mcp/calls/ask-server.ts',
		'mcp/calls/call-failure.ts',
		'tools/tool-result.ts',
		'tools/tool-outcome.ts',
	],
	'a key, from the terminal to the approval': [
		'tui/views/app.tsx',
		'tui/state/key-press.ts',
		'tui/input/controller.ts',
		'tui/input/key-guard.ts',
		'tui/state/arming.ts',
		'tui/input/ui-step.ts',
		'tui/state/ui-state.ts',
		'tui/input/modes.ts',
		'tui/state/keymap.ts',
		'tui/input/actions.ts',
		'tui/input/review-actions.ts',
		'tui/approval/review-layout.ts',
		'tui/state/review.ts',
		{file: 'state/command.ts', wiredBy: 'tui/input/controller.ts'},
		{file: 'commands/gateway/gateway-process.ts', wiredBy: 'commands/gateway/dashboard-gateway.ts'},
		{file: 'gateway/consoles.ts', wiredBy: 'gateway/gateway.ts'},
		'gateway/command-dispatch.ts',
		'gateway/command-handlers/approval.ts',
		{file: 'approvals/approval-queue.ts', wiredBy: 'gateway/access/request-access.ts'},
		'approvals/pending-requests.ts',
	],
};

/** How many files a reader opens along each story, at most. */
export const maxSteps: Readonly<Record<string, number>> = {
	'a webhook, from its request to its answer': 40,
	'a tool call, from a run to its result': 32,
	'a key, from the terminal to the approval': 20,
};

/** What is wrong with a story: files that are not there, and files that none before them imports. `imports` are those of each file. */
export function brokenSteps(
	steps: readonly StoryStep[],
	imports: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
	const read: string[] = [];
	return steps.flatMap((step, index) => {
		const {file, wiredBy} = typeof step === 'string' ? {file: step, wiredBy: undefined} : step;
		const from = wiredBy === undefined ? [...read] : [wiredBy];
		read.push(file);
		if (!imports.has(file)) {
			return [`${file} does not exist`];
		}

		const isHandedOn = index === 0 || from.some(path => imports.get(path)?.includes(file));
		return isHandedOn ? [] : [`no file before it hands on to ${file}`];
	});
}
