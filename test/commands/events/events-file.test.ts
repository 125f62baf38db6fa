import {describe, expect, test} from 'vitest';
import {runEventsFile} from '../../../source/commands/events/events-file.ts';
import {eventFiles} from '../../../source/gateway/pages/event-files.ts';
import {startControl} from '../../control/control-fixture.ts';
import {openContext, ownEvents} from '../command-fixture.ts';

const id = '019a1b2c-0000-7abc-8def-0123456789ab';
const content = Buffer.from(Array.from({length: 9_000_000}, (_, index) => index % 251));
const file = eventFiles({
	findIds: async () => ({ids: [id]}),
	findEventFile: async (eventId, number) =>
		eventId === id && number === 2 ? {name: '../x', contentType: 'image/png', content} : undefined,
});

async function run(words: readonly string[], controlSocket?: string, isTTY = false) {
	const written: Uint8Array[] = [];
	const {context, stdout, stderr} = openContext({
		arguments: words,
		...(controlSocket !== undefined && {controlSocket}),
	});
	const output = {isTTY, write: (bytes: Uint8Array) => void written.push(bytes)};
	const code = await runEventsFile(context, ownEvents({'events.file': file}), output);
	return {code, written: Buffer.concat(written), stdout: stdout(), stderr: stderr()};
}

describe('sluice events file', () => {
	test('writes a file through the socket byte by byte, whatever its size', async () => {
		const {path} = await startControl({'events.file': file});
		const {code, written, stdout} = await run(['456789ab', '2'], path);
		expect([code, written.equals(content), stdout]).toEqual([0, true, '']);
	});

	test('reads the journal itself when no gateway runs', async () => {
		const {code, written} = await run([id, '2']);
		expect([code, written.equals(content)]).toEqual([0, true]);
	});

	test('says that there is no such file', async () => {
		const {code, written, stderr} = await run([id, '3']);
		expect([code, written.length, stderr]).toEqual([1, 0, `sluice: No event with the id ${id} has a file 3.\n`]);
	});

	test.each([{words: []}, {words: [id]}, {words: [id, '0']}, {words: [id, 'x']}, {words: [id, '1', '2']}])(
		'refuses $words',
		async ({words}) => {
			const {code, stderr} = await run(words);
			expect([code, stderr]).toEqual([2, expect.stringContaining('Usage: sluice events file ID NUMBER')]);
		},
	);

	test('writes nothing to a terminal', async () => {
		const {code, written, stderr} = await run([id, '2'], undefined, true);
		expect([code, written.length, stderr]).toEqual([2, 0, expect.stringContaining('not printed to a terminal')]);
	});
});
