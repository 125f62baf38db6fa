import {describe, expect, test} from 'vitest';
import {
	approvalRulesSchema,
	createRememberedRules,
	type DefinedTool,
	type RuleStore,
} from '../../source/approvals/remembered-rules.ts';
import {createJsonStore} from '../../source/config/values/json-store.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** A file as a store shows it: text that is parsed at every look. */
function createFile(): RuleStore & {text: string; state: 'fine' | 'unreadable' | 'unwritable'} {
	return {
		text: '{"rules": []}',
		state: 'fine',
		read() {
			if (this.state === 'unreadable') {
				throw new Error('bad JSON');
			}

			return approvalRulesSchema.parse(JSON.parse(this.text));
		},
		async update(change) {
			const before = this.read();
			const after = change(before);
			if (after !== before && this.state !== 'fine') {
				throw new Error('disk full');
			}

			this.text = after === before ? this.text : JSON.stringify(after);
		},
	};
}

function setUp(file = createFile()) {
	const {publish, ofType} = recordEvents();
	const rules = createRememberedRules({clock: createFakeClock(), publish, store: file});
	return {rules, file, ofType};
}

const tool: DefinedTool = {server: 'files', tool: 'write_file', fingerprint: 'f1', definition: {description: 'writes'}};
const changed: DefinedTool = {...tool, fingerprint: 'f2', definition: {description: 'writes and sends'}};

describe('an approval for a run', () => {
	const run = (runId: string) => ({kind: 'run', runId, route: 'push', deliveryId: 'd'}) as const;

	test('holds for that definition in calls of that run alone, and only until it ends', async () => {
		const {rules, file} = setUp();
		await rules.remember(tool, 'run', run('1'));
		expect(rules.find(tool, run('1'))).toMatchObject({kind: 'remembered', rule: {scope: 'run'}});
		expect(rules.list()).toMatchObject([{scope: 'run'}]);
		for (const origin of [run('2'), {kind: 'command-line'} as const, undefined]) {
			expect(rules.find(tool, origin)).toEqual({kind: 'none'});
		}

		expect(file.text).toBe('{"rules": []}');
		rules.endRun('1');
		expect([rules.find(tool, run('1')), rules.list()]).toEqual([{kind: 'none'}, []]);
	});

	test('is void for another definition', async () => {
		const {rules} = setUp();
		await rules.remember(tool, 'run', run('1'));
		expect(rules.find(changed, run('1'))).toMatchObject({kind: 'changed'});
		expect(rules.find(tool, run('1'))).toMatchObject({kind: 'changed'});
	});

	test('is nothing without a run', async () => {
		const {rules} = setUp();
		await rules.remember(tool, 'run', {kind: 'command-line'});
		expect(rules.list()).toEqual([]);
	});

	test('can be revoked', async () => {
		const {rules} = setUp();
		await rules.remember(tool, 'run', run('1'));
		expect(await rules.revoke(rules.list()[0]?.id ?? '')).toBe('revoked');
		expect(rules.find(tool, run('1'))).toEqual({kind: 'none'});
	});
});

describe.each(['session', 'always'] as const)('an approval for the scope %s', scope => {
	test('is remembered for the same definition', async () => {
		const {rules} = setUp();
		await rules.remember(tool, scope);
		expect(rules.find(tool)).toMatchObject({kind: 'remembered', rule: {scope}});
	});

	test.each([
		['another tool', {...tool, tool: 'read_file'}],
		['a tool of that name at another server', {...tool, server: 'mail'}],
	])('is not remembered for %s', async (_, other) => {
		const {rules} = setUp();
		await rules.remember(tool, scope);
		expect(rules.find(other)).toEqual({kind: 'none'});
	});

	test('is void for another definition, with the difference', async () => {
		const {rules} = setUp();
		await rules.remember(tool, scope);
		expect(rules.find(changed)).toEqual({
			kind: 'changed',
			difference: '~ description: "writes" → "writes and sends"',
		});
		expect(rules.list()).toMatchObject([{state: 'void'}]);
	});

	test('shows the difference until somebody approves the new definition', async () => {
		const {rules} = setUp();
		await rules.remember(tool, scope);
		rules.find(changed);
		expect(rules.find(changed)).toMatchObject({kind: 'changed'});
		await rules.remember(changed, scope);
		expect(rules.find(changed)).toMatchObject({kind: 'remembered'});
	});

	test('stays void when the definition changes back', async () => {
		const {rules} = setUp();
		await rules.remember(tool, scope);
		rules.find(changed);
		expect(rules.find(tool)).toEqual({
			kind: 'changed',
			difference: 'It has changed and changed back since it was approved',
		});
	});

	test('is logged once when it becomes void', async () => {
		const {rules, ofType} = setUp();
		await rules.remember(tool, scope);
		rules.find(changed);
		rules.find(changed);
		expect(ofType('log').map(event => event.text)).toEqual([
			'files changed the definition of write_file, so its remembered approval no longer applies',
		]);
	});

	test('is listed with what it allows', async () => {
		const {rules} = setUp();
		await rules.remember(tool, scope);
		expect(rules.list()).toMatchObject([
			{scope, state: 'valid', server: 'files', tool: 'write_file', fingerprint: 'f1', rememberedAt: 1_700_000_000_000},
		]);
	});

	test('is gone once it is revoked', async () => {
		const {rules} = setUp();
		await rules.remember(tool, scope);
		expect(await rules.revoke(rules.list()[0]?.id ?? '')).toBe('revoked');
		expect(rules.find(tool)).toEqual({kind: 'none'});
	});

	test('replaces what was remembered for that tool', async () => {
		const {rules} = setUp();
		await rules.remember(tool, 'always');
		await rules.remember(tool, 'session');
		await rules.remember(changed, scope);
		expect(rules.list()).toMatchObject([{fingerprint: 'f2', scope}]);
	});
});

describe('after a restart', () => {
	test('what was approved always still holds', async () => {
		const {rules, file} = setUp();
		await rules.remember(tool, 'always');
		expect(setUp(file).rules.find(tool)).toMatchObject({kind: 'remembered'});
	});

	test('what was approved for the session does not', async () => {
		const {rules, file} = setUp();
		await rules.remember(tool, 'session');
		expect(setUp(file).rules.find(tool)).toEqual({kind: 'none'});
	});

	test('what became void is void', async () => {
		const {rules, file} = setUp();
		await rules.remember(tool, 'always');
		rules.find(changed);
		expect(setUp(file).rules.find(tool)).toMatchObject({kind: 'changed'});
	});
});

describe('the file', () => {
	test('may be changed by another process', async () => {
		const {rules, file} = setUp();
		await rules.remember(tool, 'always');
		file.text = '{"rules": []}';
		expect(rules.find(tool)).toEqual({kind: 'none'});
	});

	test('is not written when nothing changes', async () => {
		const {rules, file} = setUp();
		await rules.remember(tool, 'session');
		expect(file.text).toBe('{"rules": []}');
	});

	test('remembers nothing while it cannot be read', async () => {
		const {rules, file, ofType} = setUp();
		await rules.remember(tool, 'always');
		file.state = 'unreadable';
		expect(rules.find(tool)).toEqual({kind: 'none'});
		expect(ofType('log')).toMatchObject([{level: 'warning'}]);
	});

	test('is not overwritten while it cannot be read', async () => {
		const {rules, file} = setUp();
		file.text = 'precious';
		file.state = 'unreadable';
		await rules.remember(tool, 'always');
		expect(file.text).toBe('precious');
	});

	test('that cannot be written leaves an approval for the session', async () => {
		const {rules, file} = setUp();
		file.state = 'unwritable';
		await rules.remember(tool, 'always');
		expect(rules.find(tool)).toMatchObject({kind: 'remembered', rule: {scope: 'session'}});
	});

	test('that cannot be written does not keep a rule from becoming void', async () => {
		const {rules, file} = setUp();
		await rules.remember(tool, 'always');
		file.state = 'unwritable';
		rules.find(changed);
		expect(rules.find(tool)).toMatchObject({kind: 'changed'});
	});

	test('that cannot be written does not keep a revoked rule in force', async () => {
		const {rules, file} = setUp();
		await rules.remember(tool, 'always');
		file.state = 'unwritable';
		expect(await rules.revoke(rules.list()[0]?.id ?? '')).toBe('failed');
		expect(rules.find(tool)).not.toMatchObject({kind: 'remembered'});
	});
});

test('rules survive in a real approval-rules.json', async () => {
	const directory = temporaryDirectory();
	const open = () =>
		createJsonStore({directory, name: 'approval-rules', schema: approvalRulesSchema, fallback: {rules: []}});
	const publish = () => {};
	await createRememberedRules({clock: createFakeClock(), publish, store: open()}).remember(tool, 'always');
	const rules = createRememberedRules({clock: createFakeClock(), publish, store: open()});
	expect(rules.find(tool)).toMatchObject({kind: 'remembered', rule: {scope: 'always'}});
	expect(rules.find(changed)).toMatchObject({kind: 'changed'});
});

test('an unknown rule cannot be revoked', async () => {
	expect(await setUp().rules.revoke('none')).toBe('unknown');
});
