import {readFileSync, existsSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createKnownSettings} from '../../../source/gateway/stores/known-settings.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const texts = (settings: Readonly<Record<string, string>>) => new Map(Object.entries(settings));

function openFile(directory = temporaryDirectory()) {
	const path = join(directory, 'cache', 'platform-settings.json');
	const open = () => createKnownSettings({directory, clock: createFakeClock()});
	return {path, open};
}

test('settings that changed are found, also after a start, and the first ones are not', async () => {
	const {open} = openFile();
	const first = open();
	expect(await first.changed(texts({telegram: 'a', slack: 'b'}))).toEqual([]);
	expect(await first.changed(texts({telegram: 'a', slack: 'c'}))).toEqual(['slack']);
	await first.keep();
	expect(await open().changed(texts({telegram: 'a', slack: 'c'}))).toEqual([]);
	expect(await open().changed(texts({telegram: 'x', teams: 'new'}))).toEqual(['telegram', 'slack', 'teams']);
});

test('settings that were not kept are found again by the next start', async () => {
	const {open} = openFile();
	const first = open();
	await first.changed(texts({telegram: 'a'}));
	await first.keep();
	expect(await first.changed(texts({telegram: 'b'}))).toEqual(['telegram']);
	expect(await open().changed(texts({telegram: 'b'}))).toEqual(['telegram']);
});

test('the file has no setting in it, other hashes in each directory, and is there only once there are settings', async () => {
	const [one, other] = [openFile(), openFile()];
	const contents = [];
	for (const {path, open} of [one, other]) {
		const known = open();
		await known.changed(texts({}));
		await known.keep();
		expect(existsSync(path)).toBe(false);
		await known.changed(texts({telegram: '110201543:secret'}));
		await known.keep();
		expect(statSync(path).mode & 0o777).toBe(0o600);
		contents.push(readFileSync(path, 'utf8'));
	}

	expect(contents.join('')).not.toContain('secret');
	const hashes = contents.map(
		content => (JSON.parse(content) as {platforms: Record<string, string>}).platforms['telegram'],
	);
	expect(hashes[0]).toMatch(/^[\w-]{43}$/u);
	expect(hashes[0]).not.toBe(hashes[1]);
});
