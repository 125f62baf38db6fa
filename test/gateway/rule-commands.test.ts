import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {type JsonObject} from '../../source/util/json-text.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {callTargets, runCall, startToolService, stdioEntry} from './start-tool-service.ts';

const allowed = {action: 'allow', server: 'peer', tool: 'append', arguments: {text: {equals: 'hi'}}, ignore: ['file']};
const denied = {action: 'deny', tool: 'wipe', reason: 'never \u001B[2J from here'};

/** A tool service with these rules, and what commands act on. */
async function openTargets(rules: readonly object[], servers: object = {}) {
	const home = temporaryDirectory();
	const write = (rules: readonly object[]) =>
		writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: servers, approvals: {rules}}));
	write(rules);
	const service = await startToolService(home);
	const targets = callTargets(service);
	const remember = () =>
		service.rules.remember(
			{
				server: 'peer',
				tool: 'environment',
				fingerprint: service.catalogue.find('mcp__peer__environment')?.fingerprint ?? '',
				definition: {name: 'environment'},
			},
			'always',
		);
	return {home, write, service, targets, remember, lists: () => service.recorded.ofType('view.rules')};
}

test('rules are shown in words that are safe to show, with what they decided, and remembered approvals too', async () => {
	const {home, targets, service, remember, lists} = await openTargets([denied, allowed], {
		peer: {...stdioEntry('mcp-plain.ts'), trust: 'untrusted'},
	});
	await remember();
	const call = (name: string, args: JsonObject) =>
		service.callTool({name, arguments: args, origin: {kind: 'command-line'}}, {signal: neverAborted()});
	const file = join(home, 'notes');
	for (const outcome of [
		await call('mcp__peer__append', {file, text: 'hi'}),
		await call('mcp__peer__append', {file, text: 'hi'}),
		await call('mcp__peer__environment', {}),
	]) {
		expect(outcome).toMatchObject({kind: 'result'});
	}

	await runCall({method: 'rules.view', params: {}}, targets);
	const [list] = lists();
	expect(list).toMatchObject({
		keptDays: 30,
		rules: [
			{source: 'config', action: 'deny', words: 'denies wipe of any server', reason: 'never ␛[2J from here', uses: 0},
			{source: 'config', action: 'allow', words: 'allows peer/append when text is hi, with any value of file', uses: 2},
			{
				source: 'stored',
				action: 'allow',
				words: 'allows peer/environment with any arguments',
				uses: 1,
				scope: 'always',
			},
		],
	});
	expect(list).not.toHaveProperty('problem');
	expect(list?.rules.map(({lastUsedAt}) => typeof lastUsedAt)).toEqual(['undefined', 'number', 'number']);
});

test('a stored rule is removed, one of config.yaml is not', async () => {
	const {targets, remember, lists} = await openTargets([denied]);
	await remember();
	await runCall({method: 'rules.view', params: {}}, targets);
	const [configured, stored] = lists()[0]?.rules ?? [];
	await expect(runCall({method: 'rules.revoke', params: {id: configured?.id ?? ''}}, targets)).rejects.toMatchObject({
		message: expect.stringContaining('stands in config.yaml'),
	});
	await runCall({method: 'rules.revoke', params: {id: stored?.id ?? ''}}, targets);
	await runCall({method: 'rules.view', params: {}}, targets);
	expect(lists().at(-1)?.rules).toMatchObject([{id: configured?.id}]);
});

test('rules that cannot be read say why, and what holds instead', async () => {
	const {targets, write, service, lists} = await openTargets([{...denied, tol: 'x'}]);
	await runCall({method: 'rules.view', params: {}}, targets);
	expect(lists()[0]).toMatchObject({
		rules: [],
		problem: {inForce: 'no-tool-calls', reason: expect.stringMatching(/^config\.yaml:1:.*tol/u)},
	});

	write([denied]);
	await service.reload();
	write([{action: 'forbid'}]);
	await service.reload();
	await runCall({method: 'rules.view', params: {}}, targets);
	expect(lists()[1]).toMatchObject({
		rules: [{words: 'denies wipe of any server'}],
		problem: {inForce: 'former-rules', reason: expect.stringContaining('forbid')},
	});

	write([denied]);
	await service.reload();
	writeFileSync(join(service.paths.directory, 'approval-rules.json'), '{');
	await runCall({method: 'rules.view', params: {}}, targets);
	expect(lists()[2]).toMatchObject({
		problem: {inForce: 'no-tool-calls', reason: expect.stringContaining('approval-rules.json')},
	});
});
