import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {callLines} from '../../source/commands/approvals/request-text.ts';
import {approvalLines} from '../../source/commands/approvals/screen-reader-approval.ts';
import {decisionCall, withVersion} from '../../source/state/gateway-call.ts';
import {eventJson} from '../../source/state/event-json.ts';
import {type ApprovalRow} from '../../source/state/snapshot.ts';
import {approvalListRow} from '../../source/tui/lists/approval-rows.ts';
import {cardContent} from '../../source/tui/approval/review-layout.ts';
import {fullPage} from '../../source/tui/approval/full-page.ts';
import {brushesOf, paintLine} from '../../source/tui/text/line-text.tsx';
import {type Line} from '../../source/tui/text/span.ts';
import {isJsonObject, type JsonObject, ownMember, parseJson} from '../../source/util/json-text.ts';
import {maskedJson, partLimits} from '../../source/util/shown-json.ts';
import {jsonDocument} from '../../source/commands/cli/listing.ts';
import {argumentCases} from '../helpers/argument-cases.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {readExact, readLines, readRows, readSpoken} from '../helpers/read-back.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {approval, snapshotOf} from '../tui/sample-events.ts';
import {attach, connect, quiet} from './attached-window.ts';

/** All Unicode scalar values of these planes, in texts of so many. */
function scalarValues(count: number, isWanted: (code: number) => boolean = () => true): readonly string[] {
	const texts: string[] = [];
	let text: string[] = [];
	for (let code = 0; code <= 0x10_ff_ff; code++) {
		if ((code < 0xd8_00 || code > 0xdf_ff) && isWanted(code)) {
			text.push(String.fromCodePoint(code));
		}

		if (text.length === count || code === 0x10_ff_ff) {
			texts.push(text.join(''));
			text = [];
		}
	}

	return texts;
}

const brushes = brushesOf('mono');
const drawn = (lines: readonly Line[]) => lines.map(line => paintLine(line, {brushes, ascii: false}));

/** The text in a JSON document with one. */
function textIn(document: string): string {
	const json = parseJson(document);
	const text = isJsonObject(json) ? ownMember(json, 'text') : undefined;
	return typeof text === 'string' ? text : expect.fail('there is no text');
}

/** The lines of a printed document between its first and last bracket. */
function documentIn(lines: readonly string[]): readonly string[] {
	return lines.slice(lines.indexOf('{'), lines.lastIndexOf('}') + 1);
}

const peer = {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'untrusted'};

/** A call of a tool that writes its text to a file, waiting in an attached window. */
async function askFor(sent: string) {
	const running = await runGateway(`${quiet}mcp_servers: ${JSON.stringify({peer})}\n`);
	const window = await attach(running);
	await running.eventWhere(event => event.type === 'server.state' && event.state === 'connected');
	const client = await connect(running);
	const file = join(temporaryDirectory(), 'got');
	const ask = (text: string) =>
		client.call(
			'mcp.call',
			{name: 'mcp__peer__append', arguments: {file, text}, approve: false},
			{signal: neverAborted()},
		);
	const ended = ask(sent);
	const waiting = async () => {
		await expect.poll(() => window.shown().approvals, {timeout: 20_000}).toHaveLength(1);
		return window.shown().approvals[0] ?? expect.fail('nothing waits');
	};

	const allow = (card: ApprovalRow) =>
		window.send(withVersion(decisionCall(card, {kind: 'approve', scope: 'once'}), window.shown()));

	return {running, window, client, file, ended, ask, waiting, allow};
}

test('every Unicode scalar value reaches the attached window, its whole page and the command as the tool gets it', async () => {
	const [first = '', ...others] = scalarValues(100_000);
	const {window, client, file, ended, ask, waiting, allow} = await askFor(first);
	let end = ended;
	let all = '';
	for (const [index, text] of [first, ...others].entries()) {
		end = index === 0 ? end : ask(text);
		all += text;
		const card = await waiting();
		const whole = (await window.readFull({id: card.id, profile: card.profile, masks: 'on'})) ?? expect.fail('gone');
		expect(whole.arguments['text'] === text).toBe(true);
		const {request} = await client.call('approvals.show', {id: card.id}, {signal: neverAborted()});
		const printed = readLines(documentIn(callLines(request ?? expect.fail('gone'))));
		expect(printed !== undefined && isJsonObject(printed) && printed['text'] === text).toBe(true);
		allow(card);
		expect(await end).toMatchObject({result: 'done'});
		await expect.poll(() => window.shown().approvals).toHaveLength(0);
	}

	expect(readFileSync(file, 'utf8') === all).toBe(true);
}, 60_000);

/** The planes with characters that are drawn in many ways, and the ends of all others: drawing every value takes 15 s. */
const drawnValues = (code: number) =>
	[0, 1, 14].includes(code >> 16) || (code & 0xff_ff) < 0x80 || (code & 0xff_ff) >= 0xff_80;

/** The card of a call. */
function cardOf(sent: JsonObject): ApprovalRow {
	const {value, ...hidden} = maskedJson(sent, {room: partLimits, masks: {names: 'secret', partsOf: plain}});
	const requested = approval('7f3a', {arguments: value, ...hidden, description: ''});
	return snapshotOf([requested]).approvals[0] ?? expect.fail('no card');
}

test('Unicode scalar values of all planes are drawn as raw JSON, lines and edit, and read out, so that they read back', () => {
	for (const text of scalarValues(900, drawnValues)) {
		const raw = {text};
		expect(readRows(drawn(cardContent(cardOf(raw), 80, 'raw').lines))).toEqual(raw);
		const edit = {old_string: `x\n${text}`, new_string: `x\n${text}\n`};
		expect(readRows(drawn(cardContent(cardOf(edit), 80, 'lines').lines))).toEqual(edit);
		const lines = {text: `${text}\n`};
		const card = cardOf(lines);
		const page = fullPage({...card, server: 'a', tool: 'b'}, card, {width: 80, form: 'lines'});
		const from = page.lines.findIndex(line => line[1]?.text.startsWith(' arguments')) + 1;
		expect(readRows(drawn(page.lines.slice(from)))).toEqual(lines);
		const said = approvalLines({kind: 'approval', id: '7f3a', page: 'choose', read: 'card'}, card);
		expect(readSpoken(documentIn(said))).toEqual(lines);
	}
}, 60_000);

test('Unicode scalar values of all planes are in list and log so that they read back', () => {
	for (const text of scalarValues(900, drawnValues)) {
		const sent: JsonObject = {text};
		const card = cardOf(sent);
		expect(readExact(textIn(approvalListRow(card).fields()['arguments'] ?? ''))).toBe(text);
		const requested = {...approval('7f3a', {arguments: card.arguments}), seq: 1, time: 1, profile: 'default'};
		const logged = eventJson(requested);
		expect(logged).not.toMatch(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/u);
		expect(parseJson(logged)).toMatchObject({arguments: sent});
		// Tag characters are replaced by marks in a document for programs, and nothing else.
		expect(readTags(textIn(jsonDocument({text})))).toBe(text);
	}
}, 60_000);

test('88 arguments reach the attached window, its whole page and the command, and read back from their lines', async () => {
	const running = await runGateway(`${quiet}mcp_servers: ${JSON.stringify({peer})}\n`);
	const window = await attach(running);
	await running.eventWhere(event => event.type === 'server.state' && event.state === 'connected');
	const client = await connect(running);
	for (const [what, value] of argumentCases) {
		const sent = {file: 'f', text: 't', value};
		const call = {name: 'mcp__peer__append', arguments: sent, approve: false};
		const ended = client.call('mcp.call', call, {signal: neverAborted()});
		await expect.poll(() => window.shown().approvals, {timeout: 20_000, interval: 5}).toHaveLength(1);
		const card = window.shown().approvals[0] ?? expect.fail('nothing waits');
		expect(readRows(drawn(cardContent(card, 80, 'lines').lines)), what).toEqual(sent);
		const whole = (await window.readFull({id: card.id, profile: card.profile, masks: 'on'})) ?? expect.fail('gone');
		const page = fullPage(whole, card, {width: 80, form: 'lines'});
		const from = page.lines.findIndex(line => line[1]?.text.startsWith(' arguments')) + 1;
		const end = page.neededLines ?? expect.fail('it is too long');
		expect(readRows(drawn(page.lines.slice(from, end))), what).toEqual(sent);
		const {request} = await client.call('approvals.show', {id: card.id}, {signal: neverAborted()});
		expect(readLines(documentIn(callLines(request ?? expect.fail('gone')))), what).toEqual(sent);
		window.send(withVersion(decisionCall(card, {kind: 'deny'}), window.shown()));
		expect(await ended).toMatchObject({error: {code: 'denied'}});
		await expect.poll(() => window.shown().approvals, {interval: 5}).toHaveLength(0);
	}
}, 60_000);

const plain = (text: string) => [{kind: 'plain', text}] as const;
const readTags = (text: string) => text.replaceAll(/‹U\+E00[0-7][0-9A-F]›/gu, readExact);

test.each([
	['a tab', 'all:\n\tgo build'],
	['a letter that normalisation would change', '\u212B \u2126 \uF900'],
	['combining marks and joiners', 'e\u0301\u200D\uFE0F'],
])('a request with %s is denied and allowed in an attached window', async (_, text) => {
	const {file, ended, window, waiting, allow, ask} = await askFor(text);
	const card = await waiting();
	window.send(withVersion(decisionCall(card, {kind: 'deny'}), window.shown()));
	expect(await ended).toMatchObject({error: {code: 'denied'}});
	await expect.poll(() => window.shown().approvals).toHaveLength(0);
	const again = ask(text);
	allow(await waiting());
	expect(await again).toHaveProperty('result');
	expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a command allows marked characters only with the hash of the page that shows them', async () => {
	const {client, waiting, ended, file} = await askFor('dеlete');
	const {id} = await waiting();
	const call = <Method extends 'approvals.show' | 'approvals.list'>(method: Method) =>
		client.call(method, {id}, {signal: neverAborted()});
	const [listed] = await call('approvals.list');
	expect(listed).toMatchObject({marked_characters: 1, arguments: {text: 'dеlete'}});
	expect(listed).not.toHaveProperty('review_hash');
	const allow = (hash: string | undefined) =>
		client.call('approvals.allow', {id, scope: 'once', arguments_hash: hash ?? ''}, {signal: neverAborted()});
	await expect(allow(listed?.arguments_hash)).rejects.toMatchObject({code: 'bad_usage'});
	expect(await allow('another')).toMatchObject({answer: 'changed'});
	const {request} = await call('approvals.show');
	expect(await allow(request?.review_hash)).toMatchObject({answer: 'resolved'});
	expect(await ended).toMatchObject({result: 'done'});
	expect(readFileSync(file, 'utf8')).toBe('dеlete');
});

test.each([
	['a text', {text: 'a\uD800', file: 'x'}],
	['a name', {'\uDFFF': 1}],
	['a list', {text: [['\uDC00\uD800']]}],
])('half a character in %s is refused', async (_, args) => {
	const running = await runGateway(`${quiet}mcp_servers: ${JSON.stringify({peer: {...peer, trust: 'full'}})}\n`);
	await running.eventWhere(event => event.type === 'server.state' && event.state === 'connected');
	const client = await connect(running);
	const call = {name: 'mcp__peer__append', arguments: args, approve: false};
	expect(await client.call('mcp.call', call, {signal: neverAborted()})).toMatchObject({
		error: {code: 'invalid_arguments'},
	});
});

test('an answer that is refused tells its window why', async () => {
	const {window, waiting} = await askFor('x');
	const {id, profile} = await waiting();
	window.send({method: 'approvals.deny', params: {id, request_version: 'something else'}, profile});
	await expect
		.poll(() => window.ends)
		.toMatchObject([
			{kind: 'problem', call: {params: {id}}, reason: expect.stringContaining('has changed since it was shown')},
		]);
});
