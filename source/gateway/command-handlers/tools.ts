import {addServer, setServerEnabled, setServerLogin} from '../../config/edit/edit-config.ts';
import {type CallRow} from '../../journal/journal.ts';
import {readServerLog} from '../../mcp/transport/server-log.ts';
import {type Command} from '../../state/command.ts';
import {type NewServer} from '../../state/person-answers.ts';
import {type GatewayEventBody} from '../../state/event.ts';
import {calledName} from '../../tools/registered-tool.ts';
import {callOutcome, failure, type ToolOutcome} from '../../tools/tool-outcome.ts';
import {toolRows} from '../../tools/tool-rows.ts';
import {repeatedCall} from '../../tools/uncertain-calls.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {serverCalls, serverPage} from '../server-page.ts';
import {type CommandTargets} from './command-targets.ts';

type ServerCommand = Extract<
	Command,
	{
		type:
			| 'reconnect-server'
			| 'set-server-enabled'
			| 'add-server'
			| 'show-server'
			| 'show-server-calls'
			| 'show-server-log';
	}
>;

type LoginCommand = Extract<Command, {type: 'start-login' | 'switch-to-oauth' | 'cancel-login' | 'finish-login'}>;

type CallCommand = Extract<
	Command,
	{type: 'show-tools' | 'call-tool' | 'call-again' | 'cancel-call' | 'resolve-uncertain' | 'repeat-uncertain'}
>;

const shownResultCharacterLimit = 100_000;

/** Commands about one tool server. */
export async function handleServerCommand(
	command: ServerCommand,
	{console, context, tools, reload}: CommandTargets,
): Promise<void> {
	switch (command.type) {
		case 'reconnect-server':
			tools.connections.find(command.server)?.reconnect();
			return;
		case 'set-server-enabled':
			await setServerEnabled(context, command.server, command.enabled);
			await reload();
			return;
		case 'add-server':
			await addServer(context, {name: command.server.name, entry: serverEntry(command.server)});
			await reload();
			return;
		case 'show-server':
			console.show(await serverPage(command.server, {context, tools, part: command.part}));
			return;
		case 'show-server-calls':
			console.show(await serverCalls(command.server, {context, tools}));
			return;
		case 'show-server-log':
			console.show(await serverLogPage(command.server, context));
	}
}

async function serverLogPage(server: string, {paths}: CommandTargets['context']): Promise<GatewayEventBody> {
	const text = await readServerLog(paths.serverLogs, server);
	const shown = safeText(server);
	return {
		type: 'view.page',
		subject: {kind: 'server-log', server: shown},
		title: `Log of ${shown}`,
		sections: [{title: 'stderr', text: text === '' ? 'The log is empty' : text}],
	};
}

/** A server somebody just typed is a stranger: it asks before it writes (docs/tool-servers.md, Trust). */
function serverEntry(server: NewServer): JsonObject {
	switch (server.kind) {
		case 'stdio':
			return {command: server.command, args: server.args, trust: 'untrusted'};
		case 'http':
			return {url: server.url, trust: 'untrusted'};
	}
}

/** Commands about logins. */
export async function handleLoginCommand(
	command: LoginCommand,
	{console, context, tools, reload}: CommandTargets,
): Promise<void> {
	const {logins} = tools;
	const opener = console.browser === 'gateway' ? 'this process' : 'the caller';
	switch (command.type) {
		case 'start-login':
			// How it ends is an event of its own.
			await logins.start(command.server, {flow: command.flow, opener});
			return;
		case 'switch-to-oauth':
			await setServerLogin(context, command.server, command.flow);
			await reload();
			await logins.start(command.server, {flow: command.flow, opener});
			return;
		case 'cancel-login':
			logins.cancel(command.server);
			return;
		case 'finish-login':
			return logins.finish(command.server, command.redirectUrl);
	}
}

/** Commands about tools and calls. */
export async function handleCallCommand(
	command: CallCommand,
	{console, context, tools}: CommandTargets,
): Promise<void> {
	switch (command.type) {
		case 'show-tools': {
			const decided = {remembered: tools.rules.list(), rules: context.current().config.rules};
			const rows = toolRows(tools.catalogue.status(command.server), decided);
			console.show({type: 'view.tools', tools: rows});
			return;
		}

		case 'call-tool': {
			const {name, arguments: args} = command;
			// It ends like any other: by its server, its time limit, or a person who calls it off.
			const outcome = await tools.callTool(
				{name, arguments: args, origin: {kind: 'dashboard', by: console.name}},
				{signal: new AbortController().signal},
			);
			console.show(callView(command, outcome));
			return;
		}

		case 'call-again': {
			const call = await tools.findCall(command.callId);
			const name = call ? calledName(call.server, call.tool) : '';
			const outcome = call ? await callAgain(call, {console, context, tools}) : failure(new Problem('unknown_call'));
			console.show(callView({...command, name}, outcome));
			return;
		}

		case 'cancel-call':
			tools.running.cancel(command.callId);
			return;
		case 'resolve-uncertain':
			await tools.uncertain.resolve(command.callId, command.resolution, console.name);
			return;
		case 'repeat-uncertain':
			await tools.uncertain.repeat(command.callId, console.name);
	}
}

/** A call of this profile once more, as one by hand. */
async function callAgain(
	call: CallRow,
	{console, context, tools}: Pick<CommandTargets, 'console' | 'context' | 'tools'>,
): Promise<ToolOutcome> {
	if (call.profile !== context.paths.profile) {
		return failure(new Problem('unknown_call'));
	}

	try {
		const {name, arguments: args} = repeatedCall(call, tools.catalogue.find);
		const origin = {kind: 'dashboard', by: console.name} as const;
		return await tools.callTool({name, arguments: args, origin}, {signal: new AbortController().signal});
	} catch (caught) {
		return failure(toProblem(caught), call.server);
	}
}

function callView(
	{requestId, name}: Pick<Extract<CallCommand, {type: 'call-tool'}>, 'requestId' | 'name'>,
	outcome: ToolOutcome,
): GatewayEventBody {
	const text = outcome.kind === 'result' ? outcome.result : outcome.error.message;
	return {
		type: 'view.call',
		requestId,
		name: safeText(name, {maximumCharacters: 200}),
		outcome: callOutcome(outcome),
		text: safeText(text, {maximumCharacters: shownResultCharacterLimit, multiline: true}),
	};
}
