import {expect, test} from 'vitest';
import {type ApprovalRules, type DefinedTool} from '../../source/approvals/remembered-rules.ts';
import {createRulePins} from '../../source/approvals/rule-pins.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {rule} from './one-rule.ts';

const deny = rule({action: 'deny', server: 'files', arguments: {path: {prefix: '/etc'}}});

function read(definition: string): DefinedTool {
	return {server: 'files', tool: 'read', fingerprint: definition, definition: {description: definition}};
}

/** Pins whose store writes once it is let, or fails. */
function createProfilePins() {
	let file: ApprovalRules = {rules: []};
	const warnings: string[] = [];
	const disk = Promise.withResolvers<void>();
	const writes: number[] = [];
	const pins = createRulePins({
		clock: createFakeClock(),
		store: {
			read: () => file,
			async update(change) {
				await disk.promise;
				file = change(file);
				writes.push(file.pins?.length ?? 0);
			},
		},
		warn: text => warnings.push(text),
	});
	const evaluate = (tool: DefinedTool) => pins.noteEvaluated([deny], tool, () => () => [tool]);
	return {pins, evaluate, disk, warnings, writes, file: () => file};
}

test('a deny rule on arguments pins a tool at its first evaluation, before the disk has it', async () => {
	const {pins, evaluate, disk, writes} = createProfilePins();
	evaluate(read('path'));
	expect(pins.changes([deny], read('path'))).toEqual([]);
	expect(pins.changes([deny], read('file'))).toMatchObject([{rule: {id: deny.id}}]);
	disk.resolve();
	await expect.poll(() => writes).toEqual([1]);
	evaluate(read('file'));
	expect([pins.changes([deny], read('file')).length, writes]).toEqual([1, [1]]);
});

test('a rule without arguments, and one that asks or allows, is pinned as before: at its first use', async () => {
	const {pins, disk, writes} = createProfilePins();
	disk.resolve();
	const others = [
		rule({action: 'deny', server: 'files'}),
		rule({action: 'ask', server: 'files', arguments: {path: {prefix: '/etc'}}}),
		rule({action: 'allow', server: 'files', tool: 'read', arguments: {path: {prefix: '/etc'}}}),
	];
	pins.noteEvaluated(others, read('path'), () => () => []);
	await disk.promise;
	expect([writes, pins.changes(others, read('file'))]).toEqual([[], []]);
	// The positive control: the same store takes the pin of a deny rule on arguments.
	pins.noteEvaluated([deny], read('path'), () => () => []);
	await expect.poll(() => writes).toEqual([1]);
});

test('a pin that cannot be written counts until the gateway stops, and that is said once', async () => {
	const {pins, evaluate, disk, warnings} = createProfilePins();
	evaluate(read('path'));
	disk.reject(new Error('disk full'));
	await expect.poll(() => warnings).toEqual([expect.stringContaining('disk full')]);
	evaluate(read('file'));
	expect([pins.changes([deny], read('file')).length, warnings.length]).toEqual([1, 1]);
});
