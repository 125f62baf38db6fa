import {expect, test} from 'vitest';
import {methods} from '../../../source/control/methods.ts';
import {type MethodName, type ParamsOf} from '../../../source/state/api.ts';
import {isJsonObject} from '../../../source/util/json-text.ts';
import {connectTo} from '../../control/control-fixture.ts';
import {fixtureArguments} from '../../helpers/fixture-program.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const garden = {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'untrusted'};

/** A gateway whose configuration keeps commands from allowing anything, with a call that waits for a person. */
async function openWaiting() {
	const config = {
		gateway: {endpoint: {port: 0}},
		mcp_servers: {garden},
		approvals: {cli: 'deny', unattended: 'hold'},
	};
	const running = await runGateway(JSON.stringify(config), temporaryDirectory());
	await running.eventWhere(event => event.type === 'server.state' && event.state === 'connected');
	const ended = running.gateway.callTool(
		{name: 'mcp__garden__append', arguments: {file: '/dev/null', text: 'x'}, origin: {kind: 'command-line'}},
		{signal: neverAborted()},
	);
	ended.catch(() => undefined);
	const request = await running.eventWhere(({type}) => type === 'approval.requested');
	return {...running, id: request.type === 'approval.requested' ? request.id : ''};
}

/** Parameters that each schema takes, with the id of a request that waits. */
function paramsFor(id: string): {readonly [Name in MethodName]: ParamsOf<Name>} {
	const server = 'garden';
	const prompt = 'x';
	const reference = 'x';
	return {
		status: {},
		'gateway.faults': {},
		reload: {},
		stop: {},
		hold: {},
		'hold.show': {},
		unhold: {hash: 'x'},
		'completion.names': {of: 'run'},
		'console.open': {mode: 'read-only', terminal: '', browser: 'nowhere'},
		'console.here': {},
		'console.key': {},
		'request.cancel': {request: 1},
		'events.older': {before: null},
		'askers.view': {},
		'rules.store-proposed': {id, choices: [], rule_hash: 'x'},
		'mcp.list': {},
		'mcp.tools': {},
		'mcp.view': {server},
		'mcp.view-calls': {server},
		'mcp.view-log': {server},
		'mcp.view-tools': {},
		'mcp.reconnect': {server},
		'mcp.enable': {server, enabled: true},
		'mcp.add': {server: {kind: 'http', name: 'x', url: 'http://127.0.0.1:1'}},
		'mcp.logins': {},
		'mcp.login': {server, document: 'try-again'},
		'mcp.login.switch': {server},
		'mcp.login.cancel': {server},
		'mcp.login.finish': {server, redirect_url: 'http://127.0.0.1:1'},
		'mcp.logout': {server},
		'mcp.call': {name: 'mcp__garden__append', arguments: {}, approve: true},
		'mcp.serve': {},
		'mcp.install': {link: 'sluice://mcp/install'},
		'proposals.answer': {id, answer: {kind: 'confirm'}},
		'hooks.decide': {
			program: 'codex',
			via: 'codex',
			waits: 'at-once',
			mode: 'asks',
			tool: 'Bash',
			input: {},
		},
		'approvals.list': {},
		'approvals.deny': {id},
		'approvals.show': {id},
		'approvals.view': {id, masks: 'on'},
		'approvals.allow': {id, scope: 'once', arguments_hash: 'x'},
		'questions.list': {},
		'questions.show': {id},
		'questions.answer': {id, answer: {kind: 'decline'}},
		'rules.list': {},
		'rules.view': {},
		'rules.test': {server, tool: 'append', arguments: {}},
		'rules.add': {rule: {action: 'allow', server, tool: 'append'}, mode: 'store'},
		'rules.revoke': {id},
		'rules.propose': {id, choices: []},
		'rules.store': {id, arguments_hash: 'x', choices: [], rule_hash: 'x'},
		'rules.rehearse': {},
		'uncertain.list': {},
		'uncertain.show': {id},
		'uncertain.resolve': {id, resolution: 'done'},
		'uncertain.repeat': {id, arguments_hash: 'x'},
		'calls.list': {limit: 1},
		'calls.show': {id},
		'calls.view': {id},
		'calls.page': {since: null, before: null},
		'calls.repeat': {id},
		'calls.cancel': {id},
		'decisions.view': {id},
		'runs.list': {limit: 1},
		'runs.show': {id},
		'runs.view': {id},
		'runs.start': {prompt},
		'runs.follow-up': {id, prompt},
		'runs.cancel': {id},
		'runs.note': {id, text: prompt},
		'runs.answer': {id, text: prompt},
		'runs.close': {id},
		'traces.view': {subject: {kind: 'run', id}},
		'webhook.list': {},
		'webhook.enable': {},
		'webhook.pause': {route: 'x', paused: true},
		'webhook.handshake': {route: 'x'},
		'webhook.confirm': {id},
		'events.list': {limit: 1},
		'events.show': {id},
		'events.file': {id, number: 1, from: 0},
		'events.view': {id},
		'events.dry-run': {id},
		'events.replay': {id},
		'events.replay-all': {ids: []},
		'events.deliver': {id},
		'events.follow': {},
		'deliveries.list': {limit: 1},
		'deliveries.retry': {id},
		'deliveries.cancel': {id},
		'deliveries.view': {id},
		'deliveries.failed': {},
		'deliveries.dismiss': {ids: []},
		'cron.list': {},
		'cron.create': {
			name: 'x',
			prompt,
			schedule: '@daily',
			time_zone: 'UTC',
			deliver: 'log',
			deliver_extra: {},
			skills: [],
		},
		'cron.edit': {reference, edit: {}},
		'cron.change': {reference, change: 'remove'},
		'cron.run': {reference},
	};
}

const names = Object.keys(methods) as readonly MethodName[];
const changing = names.filter(name => methods[name].needs !== 'read');
const allowing = names.filter(name => methods[name].needs === 'allow');

test('every method that allows something is refused to a command under `cli: deny`, and so are `mcp call --approve` and `rules add --allow`', async () => {
	expect(allowing).toEqual([
		'unhold',
		'proposals.answer',
		'approvals.allow',
		'rules.store',
		'uncertain.repeat',
		'webhook.confirm',
	]);
	const {paths, id, snapshot} = await openWaiting();
	const client = await connectTo(paths.controlSocket);
	const params = paramsFor(id);
	// A call that is not uncertain cannot be repeated by anybody.
	for (const name of [...allowing, 'mcp.call', 'rules.add'] as const) {
		const answer = await client.call(name, params[name], {signal: neverAborted()}).catch((caught: unknown) => caught);
		if (name === 'uncertain.repeat') {
			expect(answer, name).toMatchObject({answer: 'already-settled', call: null});
		} else {
			// A command has seen no request of which it could send the version.
			const code = methods[name].caller === 'console' ? 'bad_usage' : 'commands_denied';
			expect(answer, name).toMatchObject({code});
		}
	}

	expect(snapshot().approvals).toHaveLength(1);
	// Looking and denying go on.
	expect(await client.call('approvals.deny', {id})).toMatchObject({answer: 'resolved'});
});

test('a read-only console is refused everything that is not read, and what it reads it gets', async () => {
	const {gateway, id, snapshot, events} = await openWaiting();
	const console = gateway.openConsole({mode: 'read-only'});
	const params = paramsFor(id);
	for (const name of changing) {
		await expect(console.call(name, params[name]), name).rejects.toMatchObject({
			message: `console:${console.number} is read-only: it was opened with --read-only`,
		});
	}

	expect(snapshot().approvals).toHaveLength(1);
	expect(events.filter(({type}) => type === 'gateway.stopped')).toEqual([]);
	expect(await console.call('mcp.list', {})).toMatchObject([{name: 'garden'}]);
	expect(await console.call('approvals.view', {id, masks: 'on'})).toMatchObject({tool: 'append'});
	expect(isJsonObject(await console.call('rules.view', {}))).toBe(true);
});

test('a deciding console decides nothing about a request without the version that it has shown', async () => {
	const {gateway, id, snapshot} = await openWaiting();
	const console = gateway.openConsole({mode: 'deciding'});
	const [{argumentsHash} = {argumentsHash: ''}] = snapshot().approvals;
	const allow = {id, scope: 'once', arguments_hash: argumentsHash} as const;
	for (const request_version of [undefined, 'another']) {
		await expect(console.call('approvals.allow', {...allow, request_version})).rejects.toMatchObject({
			message: expect.stringContaining('has changed since it was shown'),
		});
		await expect(console.call('approvals.deny', {id, request_version})).rejects.toMatchObject({code: 'bad_usage'});
	}

	expect(snapshot().approvals).toHaveLength(1);
});
