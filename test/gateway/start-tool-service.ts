import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {callHandler, type GatewayHandlers} from '../../source/control/methods.ts';
import {approvalHandlers} from '../../source/gateway/api/approvals.ts';
import {callHandlers} from '../../source/gateway/api/calls.ts';
import {type HandlerContext} from '../../source/gateway/api/handler-context.ts';
import {questionHandlers} from '../../source/gateway/api/questions.ts';
import {ruleProposalHandlers} from '../../source/gateway/api/rule-proposals.ts';
import {askerHandlers, ruleHandlers} from '../../source/gateway/api/rules.ts';
import {serverHandlers} from '../../source/gateway/api/servers.ts';
import {uncertainHandlers} from '../../source/gateway/api/uncertain.ts';
import {type ToolService} from '../../source/gateway/services/tool-service.ts';
import {type CallGateway} from '../../source/state/api.ts';
import {type GatewayCall} from '../../source/state/gateway-call.ts';
import {makeCall} from '../../source/state/make-calls.ts';
import {emptySnapshot} from '../../source/state/snapshot.ts';
import {type ViewEvent} from '../../source/state/view-event.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {createTestRuntime, openTools} from '../helpers/gateway-parts.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {recordEvents} from '../helpers/record-events.ts';

/** The entry of a fixture that runs as a child. */
export function stdioEntry(file: string, ...args: string[]) {
	return {command: process.execPath, args: fixtureArguments(file, ...args)};
}

/** Writes the servers of a state directory; JSON is YAML too. */
export function writeServers(home: string, servers: object): void {
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: servers}));
}

/** Opens the tool service of a state directory as a gateway does; it stops with the test. */
export async function startToolService(home: string) {
	const recorded = recordEvents();
	const runtime = createTestRuntime(home);
	runtime.eventBus.listen(recorded.publish);
	const {context, service, close: stop} = await openTools(runtime);
	onTestFinished(stop);
	service.apply();
	await service.connections.settled(neverAborted());
	return {
		...service,
		context,
		recorded,
		paths: context.paths,
		stop,
		/** Reads the file again and applies it. */
		reload: async () => {
			await context.reload();
			const summary = service.apply();
			await service.connections.settled(neverAborted());
			return summary;
		},
		/** The last state of a server. */
		row: (server: string) => service.serverStatus.list().find(state => state.server === server),
	};
}

/** The tool methods of a console, as a window calls them. */
export type CallTargets = {readonly call: CallGateway; readonly show: (event: ViewEvent) => void};

/** The part of a gateway that the calls of a console about tools reach. */
export function callTargets(
	service: Pick<Awaited<ReturnType<typeof startToolService>>, 'context'> & Partial<ToolService>,
): CallTargets {
	const {context} = service;
	// Only what the handlers below use of a gateway; a caller takes the notes of its own method.
	const profile = {name: context.paths.profile, context, tools: service} as unknown as HandlerContext['profile'];
	const handlerContext = {
		caller: {kind: 'console', name: 'console:1', browser: 'gateway'},
		profile,
		listed: [profile],
		live: {current: () => emptySnapshot},
		reload: async () => undefined,
	} as unknown as HandlerContext;
	const handlers = {
		...serverHandlers(handlerContext),
		...callHandlers(handlerContext),
		...approvalHandlers(handlerContext),
		...questionHandlers(handlerContext),
		...uncertainHandlers(handlerContext),
		...ruleHandlers(handlerContext),
		...askerHandlers(handlerContext),
		...ruleProposalHandlers(handlerContext),
	} as GatewayHandlers;
	return {
		show: context.publish,
		call: (method, params, {onNote, signal = neverAborted()} = {}) =>
			callHandler(handlers, method, params, {
				signal,
				note: note => onNote?.(note as never),
				noteText: () => undefined,
				takeOver: () => undefined as never,
			}),
	};
}

/** Makes a call as a console does; rejects with its problem. */
export async function runCall(call: GatewayCall, targets: CallTargets): Promise<void> {
	await makeCall(call, targets);
}
