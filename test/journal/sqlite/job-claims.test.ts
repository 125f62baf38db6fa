import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

test('two processes that race for one job a hundred times run it a hundred times in all', async () => {
	const path = join(temporaryDirectory(), 'journal.db');
	const fixture = fileURLToPath(new URL('../../fixtures/job-racer.ts', import.meta.url));
	const racers = [1, 2].map(() => spawn(process.execPath, [fixture, path], {stdio: ['pipe', 'pipe', 'inherit']}));
	const outputs = racers.map(async racer => {
		let text = '';
		for await (const chunk of racer.stdout) {
			text += String(chunk);
		}

		return text;
	});
	await Promise.all(racers.map(racer => once(racer.stdout, 'readable')));
	racers.forEach(racer => racer.stdin.write('go\n'));
	const texts = await Promise.all(outputs);
	const won = texts.flatMap(text => [...text.matchAll(/^won (\d+)$/gmu)].map(([, slot]) => Number(slot)));
	expect(won.toSorted((first, second) => first - second)).toEqual(Array.from({length: 100}, (_, index) => index + 1));
}, 30_000);
