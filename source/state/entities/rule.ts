import {groupedNumber} from '../number-text.ts';
import {askerText} from '../origin.ts';
import {type RuleList} from '../snapshot.ts';
import {dateAndTime} from '../time-text.ts';
import {type RuleRow} from '../view-event.ts';
import {type At, type Entity, type Fields, glyphColumn} from './entity.ts';
import {ruleText, type StatusLabel, type Tone} from './status-text.ts';
import {tableOf} from './table.ts';

/** A rule, and the number of days for which the journal keeps the calls from which its uses are counted. */
type ListedRule = RuleRow & Pick<RuleList, 'keptDays'>;

/** The properties of a rule of config.yaml, of one that was stored from a card, or of a remembered approval. */
export const ruleFields = {
	id: {json: 'id', text: ({id}) => id},
	source: {json: ['config', 'stored'], text: ({source}) => source, detail: rule => sourceText(rule).full},
	action: {json: ['allow', 'ask', 'deny'], text: ({action}) => action},
	/** Null: any. */
	server: {json: 'text?', text: ({server}) => server},
	tool: {json: 'text?', text: ({tool}) => tool},
	arguments: {json: 'object'},
	origin: {json: 'object?'},
	uses: {json: 'count', label: 'used', detail: (rule, at) => useText(rule, at).full},
	/** The askers of the calls that it decided about. */
	askers: {label: 'used by', filter: 'asker', text: rule => askersText(rule), detail: rule => askersText(rule)},
	last_used_at: {json: 'time?'},
	words: {json: 'text', title: 'RULE', filter: 'rule', label: 'rule', text: ({words}) => words},
	/** `run`: until its run ends; `session`: until the gateway stops. */
	scope: {json: ['run', 'session', 'always'], title: 'HOLDS', text: ({scope}) => scope},
	/** `void`: the definition of the tool has changed since. */
	state: {json: ['valid', 'void'], text: ({state}) => state},
	/** Null for a rule of config.yaml. */
	remembered_at: {
		json: 'time?',
		title: 'SINCE',
		label: 'since',
		detail: ({createdAt}) => (createdAt === undefined ? '' : dateAndTime(createdAt)),
	},
	reason: {text: ({reason}) => reason},
	remove: {
		detail: ({source}, {keys}) =>
			source === 'config'
				? 'in config.yaml, then sluice reload'
				: keys.named('revoke-rule', 'removes it, and asks first'),
	},
} as const satisfies Fields<ListedRule>;

const sourceCells = 14;
const useCells = 23;
const askerCells = 20;
/** So wide a list has room for who uses the rules. */
const askersFrom = 98;

/** A rule in the dashboard. The words of a rule begin with its action; only that it is void is not in them. */
export const ruleEntity: Entity<ListedRule, keyof typeof ruleFields> = {
	fields: ruleFields,
	id: ({id}) => id,
	copy: ({id}) => id,
	status: ruleStatus,
	statusLine: {label: 'action'},
	filter: ['words', 'askers', 'action', 'server', 'tool', 'source', 'state', 'scope', 'id'],
	details: ['words', 'reason', 'uses', 'askers', 'source', 'remembered_at', 'remove', 'id'],
	columns: [
		glyphColumn(ruleStatus),
		{
			narrow: 'rest',
			wide: width => width - 2 - sourceCells - useCells - (width < askersFrom ? 0 : askerCells),
			tone: 'strong',
			text: rule => (rule.state === 'void' ? `${ruleStatus(rule).word}: ${rule.words}` : rule.words),
		},
		{wide: askerCells, from: askersFrom, tone: 'dim', text: rule => askersText(rule)},
		{wide: sourceCells, tone: 'dim', text: rule => sourceText(rule).short},
		{wide: 'rest', tone: (rule, at) => useText(rule, at).tone, text: (rule, at) => useText(rule, at).short},
	],
	values: ({words, uses, lastUsedAt, askers = []}) => ({
		name: words,
		asker: askers[0] && askerText(askers[0].asker),
		uses,
		used: lastUsedAt,
	}),
};

/** `codex 39, stripe 2`: who made the calls that a rule decided about, most first. */
function askersText({askers = []}: RuleRow): string {
	return askers.map(({asker, uses}) => `${askerText(asker)} ${groupedNumber(uses)}`).join(', ');
}

/** `sluice rules list`. */
export const ruleTable = tableOf(ruleFields, ['id', 'source', 'scope', 'state', 'remembered_at', 'words']);

function ruleStatus({state, action}: RuleRow): StatusLabel {
	return ruleText[state === 'void' ? 'void' : action];
}

function sourceText({source, scope}: RuleRow): {readonly short: string; readonly full: string} {
	if (source === 'config') {
		return {short: 'config.yaml', full: 'config.yaml, under approvals.rules'};
	}

	return {
		run: {short: 'until run end', full: 'approved until its run ends'},
		session: {short: 'until stop', full: 'approved until Sluice stops'},
		always: {short: 'stored', full: 'in approval-rules.json'},
	}[scope];
}

/** The number of uses of a rule and the time of the last, short for a column and in full. */
type UseText = {readonly short: string; readonly full: string; readonly tone: Tone};

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** After so many days without a use a rule is pointed out: it may not be needed any more. */
const unusedDays = 30;

/** Covers the days that the journal keeps, if fewer. The age of a rule of config.yaml is not known. */
function useText({uses, lastUsedAt, createdAt, keptDays}: ListedRule, {now}: At): UseText {
	const days = Math.min(unusedDays, keptDays);
	const begin = now - days * dayMilliseconds;
	if (lastUsedAt !== undefined && lastUsedAt >= begin) {
		const times = uses === 1 ? 'once' : `${uses.toLocaleString('en-US')} times`;
		return {short: `used ${times}`, full: `${times}, last ${dateAndTime(lastUsedAt)}`, tone: 'dim'};
	}

	if (createdAt !== undefined && createdAt > begin) {
		return {short: 'not used yet', full: 'not used yet', tone: 'dim'};
	}

	const short = `never used for ${days} ${days === 1 ? 'day' : 'days'}`;
	const last = lastUsedAt === undefined ? '' : `, last ${dateAndTime(lastUsedAt)}`;
	return {short, full: `${short}${last}`, tone: 'busy'};
}
