import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {openDashboard, pressUntil, stateDirectory} from '../helpers/sluice.ts';

const readme = readFileSync(new URL('../../readme.md', import.meta.url), 'utf8');
const [, section = ''] = readme.split('\n## Sixty seconds of demo\n');
const steps = [...(section.split('\n## ')[0] ?? '').matchAll(/^\d+\. (.+)$/gmu)].map(([, step = '']) => step);
const keysOf = (step: string) => [...step.matchAll(/`([^`]+)`/gu)].map(([, key]) => key);

test('the steps of the demo name the keys that are pressed here', () => {
	expect(steps.map(keysOf)).toEqual([['A'], ['a', 'd'], ['3', 'enter'], ['?', 'esc', 'q']]);
});

test('every step of the demo does what the readme says', {timeout: 120_000}, async () => {
	const demo = openDashboard({home: stateDirectory()}, {args: ['--demo']});
	await demo.waitFor(/▲\d[\s\S]*1 approval/u);
	await pressUntil(demo, 'A', /^ ready/mu);
	expect(demo.screen().join('\n')).toMatch(/who asks[\s\S]*scripted demo client[\s\S]*"Sow the radishes"/u);
	await pressUntil(demo, 'a', /approved \(once\)/u);
	await pressUntil(demo, '3', 'p pause/follow');
	await demo.waitFor(/✔ approved +garden +add_task[\s\S]*● ok +garden +add_task/u);
	await pressUntil(demo, '/', 'word key:value');
	demo.press('add_task');
	await demo.waitFor('/ add_task');
	demo.press('\r');
	await demo.waitFor('esc back');
	demo.press('\r');
	await demo.waitFor(/─ Trace [\s\S]*asked[\s\S]*approved[\s\S]*called[\s\S]*waited for you/u);
	await pressUntil(demo, '?', /─ .*[Kk]eys/u);
	demo.press('\u001B');
	await demo.waitFor('waited for you');
	demo.press('q');
	// It asks only while something waits; a program that has ended shows no question.
	const answered = demo.waitFor('Quit?').then(
		() => demo.press('y'),
		() => undefined,
	);
	expect(await demo.exit).toBe(0);
	await answered;
});

test('the key that denies denies, and Enter does too', {timeout: 120_000}, async () => {
	for (const key of ['d', '\r']) {
		const demo = openDashboard({home: stateDirectory()}, {args: ['--demo']});
		await demo.waitFor('1 approval');
		await pressUntil(demo, 'A', /^ ready/mu);
		demo.press(key);
		await demo.waitFor(/denied/u);
		demo.kill('SIGTERM');
		await demo.exit;
	}
});
