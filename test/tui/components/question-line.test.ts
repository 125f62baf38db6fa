import {expect, test} from 'vitest';
import {cutCallsText, pendingWork} from '../../../source/tui/components/question-line.ts';
import {approval, call, run, snapshotOf} from '../sample-events.ts';

test('a stop interrupts what this gateway has under way, and not what others of its journal have', () => {
	const own = [approval('a1'), call('c1'), run('r1', {state: 'running'})];
	const elsewhere = [
		approval('a2', {node: 'web-2', askedAt: 'another-node'}),
		run('r2', {state: 'running', node: 'web-2'}),
		call('c2', {node: 'web-2'}),
	];
	expect(pendingWork(snapshotOf([...own, ...elsewhere]))).toEqual([
		'1 waiting approval will be cancelled',
		'1 call will be cut off',
		'1 run will be cut off',
	]);
	expect(pendingWork(snapshotOf(elsewhere))).toEqual([]);
	const github = {server: 'github', profile: 'default'};
	expect(cutCallsText(github, snapshotOf([...own, ...elsewhere]))).toContain('1 call is under way');
	expect(cutCallsText(github, snapshotOf(elsewhere))).toBe('');
});
