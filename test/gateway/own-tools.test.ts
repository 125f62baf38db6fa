import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {openHoldStore} from '../../source/gateway/stores/hold-store.ts';
import {createRuleStore} from '../../source/gateway/stores/rule-store.ts';
import {openOwnClient} from '../../source/gateway/own-client.ts';
import {loadOpenProfile} from '../../source/gateway/documents/open-profile.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {createTestRuntime} from '../helpers/gateway-parts.ts';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {hasPostgres} from '../helpers/postgres-server.ts';
import {writeConfig} from '../helpers/sluice.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const name = 'mcp__garden__append';
const signal = neverAborted();

const allow = {
	rule: {action: 'allow' as const, server: 'garden', tool: 'append', arguments: {}, ignore: ['file', 'text']},
	storedAt: 1,
};

/** A command that calls tools in a process of its own, whose clock stands still, with a rule that allows it; and the documents of another process. */
async function openCommand() {
	const {database} = await newPostgresPlace();
	const root = temporaryDirectory();
	const garden = {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'untrusted'};
	const journal = {url: database.url, schema: database.schema, pool: 2};
	writeConfig(root, JSON.stringify({journal, mcp_servers: {garden}}));
	const {documents, clock} = await loadOpenProfile(createTestRuntime(root));
	const rules = createRuleStore(documents);
	await rules.update(stored => ({...stored, stored: [allow]}), clock);
	const runtime = createTestRuntime(root, {clock: createFakeClock()});
	const tools = openOwnClient(runtime, {signal, report: () => undefined});
	onTestFinished(async () => tools.close());
	const file = join(root, 'written');
	return {
		append: async (approve: boolean) => tools.call('mcp.call', {name, arguments: {file, text: 'x'}, approve}),
		written: () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
		revoke: async () => rules.update(stored => ({...stored, stored: []}), clock),
		hold: async () => openHoldStore(documents).update(() => ({held: {since: 1, by: 'cli', reason: 'odd'}}), clock),
	};
}

describe.skipIf(!hasPostgres)('a call in a process of its own, with a journal in a database', () => {
	test('is not sent once the rule that allowed it was revoked elsewhere, before this process looked', async () => {
		const {append, written, revoke} = await openCommand();
		expect([await append(false), written()]).toMatchObject([{result: 'done'}, 'x']);
		await revoke();
		expect([await append(false), written()]).toMatchObject([{error: {code: 'no_channel'}}, 'x']);
		// The person who types the command is asked by nobody else.
		expect([await append(true), written()]).toMatchObject([{result: 'done'}, 'xx']);
	});

	test('is not sent once everything was held elsewhere, before this process looked', async () => {
		const {append, written, hold} = await openCommand();
		expect([await append(false), written()]).toMatchObject([{result: 'done'}, 'x']);
		await hold();
		expect([await append(false), written()]).toMatchObject([{error: {code: 'held'}}, 'x']);
	});
});
