import {describe, expect, test} from 'vitest';
import {createCallPages} from '../../../source/gateway/pages/call-page.ts';
import {createRedactor} from '../../../source/util/redact.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {openTestJournal} from '../../helpers/journal-records.ts';
import {readLines} from '../../helpers/read-back.ts';

const origin = {kind: 'run', runId: 'r1', route: 'github', deliveryId: 'd1'} as const;
const about = {time: 1_700_000_000_000, profile: 'default', server: 'files', tool: 'write', origin};
const call = {...about, id: 'c1', arguments: {path: '/a', token: 'hidden', text: 'x'.repeat(9000)}};

async function open() {
	const clock = createFakeClock();
	const journal = openTestJournal({clock});
	const redactor = createRedactor();
	redactor.learn('a known secret');
	const pages = createCallPages({journal, redactor});
	const sectionsOf = async (page: ReturnType<typeof pages.showCall>) => {
		await clock.settle();
		return Object.fromEntries((await page).sections.map(({title, text}) => [title, text]));
	};

	return {clock, journal, pages, sectionsOf};
}

describe('the page of a call', () => {
	test('shows all arguments, the whole result and where it came from, secrets masked', async () => {
		const {journal, pages, sectionsOf, clock} = await open();
		await journal.startCall(call);
		const text = `a known secret\n${'result '.repeat(1000)}`;
		journal.finishCall('c1', {outcome: 'ok', ms: 5, result: {text, structuredContent: {rows: [1]}}});
		journal.recordDecision({
			...about,
			id: 'a1',
			callId: 'c1',
			argumentsHash: 'h',
			outcome: 'approved',
			scope: 'once',
			by: 'console:1',
		});
		await clock.settle();
		const sections = await sectionsOf(pages.showCall('c1'));
		expect(sections['Call']).toContain('from: run r1 · route github · claimed delivery "d1"');
		expect(sections['Call']).toMatch(/approval: approved \(once\) by console:1 2023/);
		expect(sections['Arguments, 1 value masked']).toContain(`"text": "${'x'.repeat(9000)}"`);
		expect(sections['Arguments, 1 value masked']).toContain('"token": "‹redacted 6 chars›"');
		expect(readLines(sections['Result']?.split('\n') ?? [])).toBe(`‹redacted 14 chars›\n${'result '.repeat(1000)}`);
		expect(sections['Structured content']).toBe('{\n  "rows": [\n    1\n  ]\n}');
	});

	test('comes in parts when it is long, and every part can be read', async () => {
		const {journal, pages, clock} = await open();
		await journal.startCall({...call, arguments: {}});
		journal.finishCall('c1', {outcome: 'ok', ms: 5, result: {text: 'line of a result\n'.repeat(20_000)}});
		await clock.settle();
		const first = await pages.showCall('c1');
		const count = first.part?.of ?? 0;
		expect(count).toBeGreaterThan(10);
		const last = await pages.showCall('c1', count);
		expect(last.sections[0]).toMatchObject({
			title: 'Result (continued)',
			text: expect.stringMatching(/20000 │ line of a result\n {6}└ ends with a line end$/),
		});
	});

	test.each([
		[
			'denied',
			{outcome: 'denied', code: 'denied', ms: 1, result: {text: 'Denied by console:1'}},
			{Error: 'Denied by console:1'},
		],
		['without a result', {outcome: 'ok', ms: 1, result: {text: ''}}, {Result: '(empty)'}],
	] as const)('tells how it ended: %s', async (_, end, sections) => {
		const {journal, pages, sectionsOf, clock} = await open();
		journal.recordCall(call, end);
		await clock.settle();
		expect(await sectionsOf(pages.showCall('c1'))).toMatchObject(sections);
	});

	test('has each line with its gutter in one of its parts, however long, and a text that is copied where it is whole', async () => {
		const {journal, pages, clock} = await open();
		const text = `${'a line\twith a tab \n'.repeat(3000)}${'x'.repeat(45_000)}\n 3 │ y\n`;
		const args = {old_string: 'a\nb\n', new_string: 'a\nc\n', text: '"'.repeat(30_000)};
		journal.recordCall({...call, arguments: args}, {outcome: 'ok', ms: 1, result: {text}});
		await clock.settle();
		const first = await pages.showCall('c1');
		const parts = [first];
		for (let part = 2; part <= (first.part?.of ?? 1); part++) {
			parts.push(await pages.showCall('c1', part));
		}

		const sections = parts.flatMap(page => page.sections);
		const textOf = (title: string) =>
			sections.filter(section => section.title.startsWith(title)).flatMap(section => section.text.split('\n'));
		expect(readLines(textOf('Result'))).toBe(text);
		expect(readLines(textOf('Arguments'))).toEqual(args);
		expect(sections.filter(({copy}) => copy !== undefined)).toEqual([]);
		journal.recordCall({...call, id: 'c2', arguments: {text: 'a\n'}}, {outcome: 'ok', ms: 1, result: {text: 'b\n\tc'}});
		await clock.settle();
		const short = await pages.showCall('c2');
		expect(short.sections.map(({copy}) => copy)).toEqual([undefined, '{\n  "text": "a\\n"\n}', 'b\n\tc']);
	});

	test('that is gone says so', async () => {
		const {pages, sectionsOf} = await open();
		expect((await sectionsOf(pages.showCall('nobody')))['Journal']).toContain('no longer has this');
		expect((await sectionsOf(pages.showDecision('nobody')))['Journal']).toContain('no longer has this');
	});
});

describe('the page of a settled approval', () => {
	test('shows who decided, when, with which words, about which arguments, and what came of it', async () => {
		const {journal, pages, sectionsOf, clock} = await open();
		journal.recordCall(call, {outcome: 'denied', code: 'denied', ms: 1, result: {text: 'Denied by console:1: no'}});
		const asked = {id: 'a1', callId: 'c1', argumentsHash: 'h', requestedAt: about.time - 65_000};
		journal.recordDecision({...about, ...asked, outcome: 'denied', by: 'console:1', message: 'no'});
		await clock.settle();
		const sections = await sectionsOf(pages.showDecision('a1'));
		expect(sections['Approval']).toMatch(/^asked: 2023-.*\ndecided: 2023-.*\nby: console:1\nmessage: no\nfrom: run r1/);
		expect(sections['Approval']).toContain('call: c1 denied');
		expect(sections['Arguments, 1 value masked']).toContain('"path": "/a"');
		expect(sections['Error']).toBe('Denied by console:1: no');
	});

	test('of a request to the model shows what the server wanted to ask', async () => {
		const {journal, pages, sectionsOf, clock} = await open();
		const sampling = {
			...about,
			id: 'a2',
			tool: 'sampling/createMessage',
			argumentsHash: 'h',
			arguments: {system: 'Hi'},
		};
		journal.recordDecision({...sampling, outcome: 'timed_out', requestedAt: about.time});
		await clock.settle();
		expect((await sectionsOf(pages.showDecision('a2')))['Arguments']).toContain('"system": "Hi"');
	});
});

test('the page of a delivery shows the message, where it went, and why it failed', async () => {
	const {journal, pages, sectionsOf} = await open();
	const message = {
		eventId: 'e1',
		runId: 'r1',
		target: 'slack',
		deliveryId: 'd1',
		route: 'github',
		text: 'Done: a known secret',
	};
	await journal.persistMessages(
		[{...message, id: 'm1', extra: {chat_id: '7', token: 'hidden'}}],
		'failed',
		'status 403',
	);
	const sections = await sectionsOf(pages.showDelivery('m1'));
	expect(sections['Delivery']).toMatch(
		/^outcome: failed\nreason: status 403\nsince: .*\ntarget: slack\nroute: github\n/,
	);
	expect(sections['Target, 1 value masked']).toContain('"chat_id": "7"');
	expect(sections['Text']).toBe('Done: ‹redacted 14 chars›');
	expect((await sectionsOf(pages.showDelivery('nobody')))['Journal']).toContain('no longer has this');
});
