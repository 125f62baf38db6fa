import {safeText} from '../util/safe-text.ts';
import {type CallGateway} from './api.ts';
import {errorOutcome} from './approval-event.ts';
import {aboutId, type Command, type ReadWhole, type Send} from './command.ts';
import {type CallJson} from './json/call.ts';
import {readView} from './command-views.ts';
import {type ViewEvent} from './view-event.ts';

type CommandOf<Type extends Command['type']> = Extract<Command, {readonly type: Type}>;

/** As much of a result as a person reads. */
const shownResultCharacters = 100_000;

/** The commands of a dashboard over the calls of a gateway. `publish` takes the results as the events that show them. */
export function createCommands(
	call: CallGateway,
	publish: (event: ViewEvent, profile: string | undefined) => void,
): {readonly send: Send; readonly readWhole: ReadWhole} {
	return {send: createSend(call, publish), readWhole: createReadWhole(call)};
}

/**
Sends the commands of a dashboard as calls of a gateway, and publishes their results as the events that show them. A command that is refused is
published as `view.refused`.
*/
function createSend(call: CallGateway, publish: (event: ViewEvent, profile: string | undefined) => void): Send {
	const running = {rehearsal: new AbortController(), proposal: new AbortController()};
	/** A person looks at one at a time: the next one replaces it. */
	const begin = (kind: keyof typeof running): AbortSignal => {
		running[kind].abort();
		running[kind] = new AbortController();
		return running[kind].signal;
	};

	return command => {
		if (command.type === 'cancel-rehearsal') {
			running.rehearsal.abort();
			return;
		}

		const {profile} = command;
		const show = (event: ViewEvent) => publish(event, profile);
		const signal =
			command.type === 'rehearse-rules'
				? begin('rehearsal')
				: command.type === 'propose-rule'
					? begin('proposal')
					: undefined;
		const callFor: CallGateway = (method, params, options) =>
			call(method, params, {...options, ...(profile !== undefined && {profile}), ...(signal && {signal})});
		callOf(command, callFor, event => !signal?.aborted && show(event)).catch((caught: unknown) => {
			if (!signal?.aborted) {
				const reason = caught instanceof Error ? caught.message : String(caught);
				show({type: 'view.refused', id: aboutId(command), reason});
			}
		});
	};
}

/** Reads all of a waiting request. Never rejects. */
function createReadWhole(call: CallGateway): ReadWhole {
	return async ({id, masks, profile}) =>
		(await call('approvals.view', {id, masks}, {profile}).catch(() => null)) ?? undefined;
}

/** Calls the method of a command, and shows its result. */
export async function callOf(command: Command, call: CallGateway, show: (event: ViewEvent) => void): Promise<void> {
	const {seen: request_version} = command;
	switch (command.type) {
		case 'answer-approval':
			return decide(command, call);
		case 'answer-question':
			return void (await call('questions.answer', {id: command.id, answer: command.answer, request_version}));
		case 'answer-proposal':
			return void (await call('proposals.answer', {id: command.id, answer: command.answer, request_version}));
		case 'hold':
			return void (await call('hold', {reason: command.reason}));
		case 'unhold':
			return void (await call('unhold', {hash: command.hash}));
		case 'propose-rule':
		case 'store-rule':
		case 'show-rules':
		case 'revoke-rule':
		case 'rehearse-rules':
			return callRules(command, call, show);
		case 'reconnect-server':
		case 'set-server-enabled':
		case 'add-server':
		case 'start-login':
		case 'switch-to-oauth':
		case 'cancel-login':
		case 'finish-login':
			return callServer(command, call);
		case 'call-tool':
		case 'call-again':
		case 'cancel-call':
		case 'resolve-uncertain':
		case 'repeat-uncertain':
			return callTools(command, call, show);
		case 'enable-webhooks':
			return void (await call('webhook.enable', {}));
		case 'set-route-paused':
			return void (await call('webhook.pause', {route: command.route, paused: command.paused}));
		case 'replay-event':
			return void (await call('events.replay', {id: command.eventId}));
		case 'dismiss-deliveries':
			return void (await call('deliveries.dismiss', {ids: command.ids}));
		case 'start-run':
		case 'follow-up-run':
		case 'cancel-run':
		case 'answer-inbox':
		case 'close-inbox-item':
		case 'run-job':
		case 'set-job-paused':
			return callRuns(command, call);
		case 'reload':
			return void (await call('reload', {}));
		case 'cancel-rehearsal':
		case 'start-demo':
		case 'stop':
			throw new Error('Only the window itself can do that');
		case 'show-server':
		case 'show-server-calls':
		case 'show-server-log':
		case 'show-tools':
		case 'show-event':
		case 'show-call':
		case 'show-decision':
		case 'show-delivery':
		case 'show-run':
		case 'show-trace':
		case 'dry-run-event':
			show(await readView(command, call));
	}
}

async function decide(
	{id, argumentsHash, verdict, seen}: CommandOf<'answer-approval'>,
	call: CallGateway,
): Promise<void> {
	const decided = {id, request_version: seen};
	await (verdict.kind === 'approve'
		? call('approvals.allow', {...decided, scope: verdict.scope, arguments_hash: argumentsHash})
		: call('approvals.deny', {...decided, ...(verdict.message !== undefined && {message: verdict.message})}));
}

async function callRules(
	command: CommandOf<'propose-rule' | 'store-rule' | 'show-rules' | 'revoke-rule' | 'rehearse-rules'>,
	call: CallGateway,
	show: (event: ViewEvent) => void,
): Promise<void> {
	switch (command.type) {
		case 'propose-rule': {
			const {id, choices} = command;
			const proposal = await call(
				'rules.propose',
				{id, choices},
				{onNote: note => show({type: 'view.rule-proposal', ...note})},
			);
			return show({type: 'view.rule-proposal', ...proposal});
		}

		case 'store-rule': {
			const {id, argumentsHash, choices, ruleHash, seen} = command;
			const stored = {id, request_version: seen, arguments_hash: argumentsHash, choices, rule_hash: ruleHash};
			return void (await call('rules.store', stored));
		}

		case 'revoke-rule':
			await call('rules.revoke', {id: command.id});
			return show(await call('rules.view', {}));
		case 'show-rules':
			return show(await call('rules.view', {}));
		case 'rehearse-rules': {
			const {without} = command;
			return void (await call('rules.rehearse', without === undefined ? {} : {without}, {onNote: show}));
		}
	}
}

async function callServer(
	command: CommandOf<
		| 'reconnect-server'
		| 'set-server-enabled'
		| 'add-server'
		| 'start-login'
		| 'switch-to-oauth'
		| 'cancel-login'
		| 'finish-login'
	>,
	call: CallGateway,
): Promise<void> {
	switch (command.type) {
		case 'reconnect-server':
			return void (await call('mcp.reconnect', {server: command.server}));
		case 'set-server-enabled':
			return void (await call('mcp.enable', {server: command.server, enabled: command.enabled}));
		case 'add-server':
			return void (await call('mcp.add', {server: command.server}));
		case 'start-login':
			return void (await call('mcp.login', {server: command.server, flow: command.flow, document: 'try-again'}));
		case 'switch-to-oauth':
			return void (await call('mcp.login.switch', {server: command.server, flow: command.flow}));
		case 'cancel-login':
			return void (await call('mcp.login.cancel', {server: command.server}));
		case 'finish-login':
			return void (await call('mcp.login.finish', {server: command.server, redirect_url: command.redirectUrl}));
	}
}

async function callTools(
	command: CommandOf<'call-tool' | 'call-again' | 'cancel-call' | 'resolve-uncertain' | 'repeat-uncertain'>,
	call: CallGateway,
	show: (event: ViewEvent) => void,
): Promise<void> {
	switch (command.type) {
		case 'call-tool': {
			const {requestId, name, arguments: args} = command;
			return show(callView(requestId, name, await call('mcp.call', {name, arguments: args, approve: false})));
		}

		case 'call-again': {
			const repeated = await call('calls.repeat', {id: command.callId});
			return show(callView(command.requestId, repeated.name, repeated.call));
		}

		case 'cancel-call':
			return void (await call('calls.cancel', {id: command.callId}));
		case 'resolve-uncertain': {
			const {callId: id, resolution, seen} = command;
			return void (await call('uncertain.resolve', {id, resolution, request_version: seen}));
		}

		case 'repeat-uncertain':
			return void (await call('uncertain.repeat', {id: command.callId, request_version: command.seen}));
	}
}

function callView(requestId: string, name: string, ended: CallJson): ViewEvent {
	const text = 'error' in ended ? ended.error.message : ended.result;
	const outcome = 'error' in ended ? errorOutcome(ended.error.code, ended.error.outcome_uncertain === true) : 'ok';
	return {
		type: 'view.call',
		requestId,
		name: safeText(name, {maximumCharacters: 200}),
		outcome,
		text: safeText(text, {maximumCharacters: shownResultCharacters, multiline: true}),
	};
}

async function callRuns(
	command: CommandOf<
		'start-run' | 'follow-up-run' | 'cancel-run' | 'answer-inbox' | 'close-inbox-item' | 'run-job' | 'set-job-paused'
	>,
	call: CallGateway,
): Promise<void> {
	switch (command.type) {
		case 'start-run':
			return void (await call('runs.start', {prompt: command.prompt}));
		case 'follow-up-run':
			return void (await call('runs.follow-up', {id: command.runId, prompt: command.prompt}));
		case 'cancel-run':
			return void (await call('runs.cancel', {id: command.runId}));
		case 'answer-inbox': {
			const {runId: id, text, seen} = command;
			return void (await call('runs.answer', {id, text, request_version: seen}));
		}

		case 'close-inbox-item':
			return void (await call('runs.close', {id: command.runId, request_version: command.seen}));
		case 'run-job':
			return void (await call('cron.run', {reference: command.id}));
		case 'set-job-paused': {
			const change = command.paused ? 'pause' : 'resume';
			return void (await call('cron.change', {reference: command.id, change}));
		}
	}
}
