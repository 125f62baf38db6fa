import {expect, test} from 'vitest';
import {type ReadFull} from '../../source/state/gateway-call.ts';
import {type AskingRule} from '../../source/state/approval-event.ts';
import {type JsonObject} from '../../source/util/json-text.ts';
import {createRedactor} from '../../source/util/redact.ts';
import {partLimits, maskedJson, fullLimits} from '../../source/util/shown-json.ts';
import {openDashboard} from './open-dashboard.ts';
import {approval, server, settled, started} from './sample-events.ts';

const {partsOf} = createRedactor();
const masks = {names: 'secret', partsOf} as const;

const sent: JsonObject = {
	content: `begin ${'x'.repeat(95_000)} the end`,
	path: '/srv/app',
	token: 'open sesame',
};

/** The card of a call, and all of it as the gateway would answer. */
function cut({description = '', rule}: {readonly description?: string; readonly rule?: AskingRule | undefined} = {}) {
	const {value, ...hidden} = maskedJson(sent, {room: partLimits, masks});
	const readFull: ReadFull = async query => {
		const {value: whole, ...rest} = maskedJson(sent, {
			room: fullLimits,
			masks: query.masks === 'on' ? masks : undefined,
		});
		return query.id === '7f3a' && query.profile === 'default'
			? {server: 'github', tool: 'create_issue', description, arguments: whole, ...rest}
			: undefined;
	};
	return {card: approval('7f3a', {arguments: value, ...hidden, description, rule}), readFull};
}

async function openCard(
	options: {
		readonly columns?: number;
		readonly rows?: number;
		readonly readOnly?: boolean;
		readonly rule?: AskingRule;
	} = {},
) {
	const {readOnly = false, rule, ...size} = options;
	const {card, readFull} = cut({rule});
	const dashboard = await openDashboard({
		...size,
		settings: {readOnly},
		readFull,
		events: [started(), server('github'), card],
	});
	await dashboard.press('A');
	await dashboard.shows('APPROVAL 1 of');
	return dashboard;
}

const approved = {
	method: 'approvals.allow',
	params: {id: '7f3a', arguments_hash: 'hash-of-7f3a', scope: 'once'},
	profile: 'default',
};

test.each([
	[40, 10],
	[80, 24],
	[160, 50],
])('a card that is cut and masked says so at %dx%d', async (columns, rows) => {
	const {shows} = await openCard({columns, rows});
	await shows('91,014 B not shown · 1 value masked');
});

test('a card that is cut is only denied, however far it was scrolled', async () => {
	const {press, sent, hides} = await openCard();
	for (let page = 0; page < 10; page++) {
		await press('\u001B[6~');
	}

	await hides('all shown');
	for (const key of ['a', 'a', 's', 's', 'w', 'w']) {
		await press(key);
	}

	expect(sent).toEqual([]);
});

test('v shows all of it, and who went through it to its end may allow it', async () => {
	const {press, shows, turnToEnd, sent} = await openCard({columns: 150, rows: 50});
	await press('v');
	await shows('space goes on');
	await turnToEnd(' ');
	await shows('the end"');
	await press('\u001B');
	await shows('all read');
	await press('a');
	await shows('press a again: 1 value masked');
	expect(sent).toEqual([]);
	await press('a');
	expect(sent).toEqual([approved]);
});

test('v shows the rule that asks behind the arguments, before the end of what has to be read', async () => {
	const {press, shows, turnToEnd} = await openCard({rule: {id: 'rule-1', words: 'rule rule-1 asks for every tool'}});
	await press('v');
	await shows('space goes on');
	await turnToEnd(' ');
	await shows('rule rule-1 asks for every tool');
});

test('who jumped to the end may only deny it, because some of it was not shown', async () => {
	const {press, shows, sent} = await openCard();
	await press('v');
	await press('G');
	await shows('the end"');
	await press('v');
	await shows('until then it can only be denied');
	await press('a');
	await press('a');
	expect(sent).toEqual([]);
});

test('who only looked at its beginning may only deny it, on the page too', async () => {
	const {press, shows, hides, sent} = await openCard();
	await press('v');
	await shows('space goes on');
	await press('a');
	await press('\u001B');
	await hides('space goes on');
	await shows('until then it can only be denied');
	await press('a');
	expect(sent).toEqual([]);
	await press('v');
	await shows('space goes on');
	await press('d');
	expect(sent).toMatchObject([{method: 'approvals.deny'}]);
});

test('/ searches, n and N go on', async () => {
	const {press, shows, hides} = await openCard();
	await press('v');
	await press('/');
	await shows('search:');
	await press('THE END');
	await shows('THE END');
	await press('\r');
	await shows('1 of 1 THE END');
	await shows('the end"');
	await press('g');
	await hides('the end"');
	await press('n');
	await shows('the end"');
	await press('/');
	await press('nowhere');
	await shows('nowhere');
	await press('\r');
	await shows('no nowhere');
});

test('u shows what is masked, in this dashboard alone, until the page is left', async () => {
	const {press, shows, hides, terminal} = await openCard();
	await press('v');
	await press('G');
	await shows('"token": "‹redacted 11 chars›"');
	await press('u');
	await press('G');
	await shows('"token": "open sesame"');
	await shows('NOT MASKED');
	await press('\u001B');
	await hides('open sesame');
	await press('v');
	await press('G');
	await shows('"token": "‹redacted 11 chars›"');
	expect(terminal.written().split('open sesame')).toHaveLength(2);
});

test('a read-only dashboard shows no masked value', async () => {
	const {press, shows, terminal} = await openCard({readOnly: true});
	await press('v');
	await press('u');
	await shows('masked values cannot be shown');
	await press('G');
	await shows('‹redacted 11 chars›');
	expect(terminal.written()).not.toContain('open sesame');
});

test('the page of a request that the gateway has no more of says so', async () => {
	const {card} = cut();
	const {press, shows} = await openDashboard({events: [started(), server('github'), card]});
	await press('A');
	await press('v');
	await shows('the gateway no longer has this request');
});

test('a request that was not there while the connection was lost is asked for again once it is back', async () => {
	const {card, readFull} = cut();
	let isLost = true;
	let asked = 0;
	const {press, shows, dispatch} = await openDashboard({
		events: [started(), server('github'), card],
		async readFull(query) {
			asked++;
			return isLost ? undefined : readFull(query);
		},
	});
	await press('A');
	await press('v');
	await shows('the gateway no longer has this request');
	isLost = false;
	await dispatch(server('other'));
	await shows('the gateway no longer has this request');
	expect(asked).toBe(1);
	await dispatch({type: 'view.console', state: 'attached', number: 2, mode: 'deciding', pid: 7});
	await shows('space goes on');
	expect(asked).toBe(2);
});

test('a request that is settled leaves its page', async () => {
	const {press, dispatch, hides} = await openCard();
	await press('v');
	await dispatch(settled('7f3a'));
	await hides('begin xxx');
});

test('a card that shows all but a masked value says so, and needs the key twice', async () => {
	const card = approval('7f3a', {arguments: {token: '‹redacted 3 chars›'}, maskedValues: 1});
	const {press, shows, sent} = await openDashboard({events: [started(), server('github'), card]});
	await press('A');
	await shows('1 value masked · all else shown');
	await press('a');
	await shows('press a again: 1 value masked');
	expect(sent).toEqual([]);
	await press('a');
	expect(sent).toEqual([approved]);
});
