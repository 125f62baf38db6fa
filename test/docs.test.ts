import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {withPart} from '../build/generated-part.ts';
import {generatedParts} from '../build/generated-parts.ts';
import {commands} from '../source/commands/cli/command-table.ts';
import {loadConfig} from '../source/config/read/load-config.ts';
import {webhookRefusals} from '../source/config/webhooks/refusals.ts';
import {signaturePresets} from '../source/config/webhooks/signature-schema.ts';
import {statePaths} from '../source/config/read/state-paths.ts';
import {commandDocuments} from '../source/control/command-documents.ts';
import {questionJson} from '../source/control/question-wire.ts';
import {callDetailJson, callRowJson, runDetailJson, runRowJson, uncertainJson} from '../source/control/run-wire.ts';
import {
	approvalJson,
	cronJobJson,
	eventDetailJson,
	eventRowJson,
	routeRowJson,
	ruleJson,
	serverJson,
	toolJson,
} from '../source/control/wire.ts';
import {type Outcome, replyTo} from '../source/webhooks/http/outcome.ts';
import {readTree} from './helpers/architecture.ts';
import {codeBlocks, type Page, readPages, relativeLinks, withoutBlocks} from './helpers/documentation.ts';
import {shellCommands} from './helpers/shell-commands.ts';
import {temporaryDirectory} from './helpers/temporary-directory.ts';
import {typedCommand} from './helpers/typed-command.ts';

const root = new URL('../', import.meta.url);
const pages = readPages();
const pageAt = (path: string): Page => pages.find(page => page.path === path) ?? expect.fail(`there is no ${path}`);

/** What a check says about each thing it does not like. */
function complaints<Thing>(things: readonly Thing[], look: (thing: Thing) => void, name: (thing: Thing) => string) {
	return things.flatMap(thing => {
		try {
			look(thing);
			return [];
		} catch (error) {
			return [`${name(thing)}: ${(error as Error).message}`];
		}
	});
}

test('the readme has at most 150 lines', () => {
	expect(pageAt('readme.md').text.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

test('the readme links to every page of docs', () => {
	const linked = relativeLinks(pageAt('readme.md')).map(({path}) => path);
	expect(pages.map(({path}) => path).filter(path => path !== 'readme.md' && !linked.includes(path))).toEqual([]);
});

describe('generated parts', () => {
	test.each(generatedParts.map(part => [part.name, part] as const))('%s are as the program has them now', (_, part) => {
		const {text} = pageAt(part.page);
		expect(withPart(text, part) === text, 'run `npm run docs`').toBe(true);
	});

	test('are written again wherever they were changed by hand', () => {
		const [part] = generatedParts;
		const {text} = pageAt(part?.page ?? '');
		const changed = text.replace('| `<name>.command` |', '| `<name>.program` |');
		expect(changed).not.toBe(text);
		expect(part && withPart(changed, part)).toBe(text);
	});
});

test('every heading of a page is there once, so that it can be cited', () => {
	for (const {path, headings} of pages) {
		expect([path, headings.filter((heading, index) => headings.indexOf(heading) !== index)]).toEqual([path, []]);
	}
});

test('every heading that a comment cites is on its page', () => {
	const cited = readTree(fileURLToPath(new URL('source', root))).flatMap(({path, text}) =>
		citations(text).map(citation => ({path, ...citation})),
	);
	expect(cited.length).toBeGreaterThan(1);
	expect(cited.filter(({page, heading}) => !isHeading(page, heading))).toEqual([]);
	const [wrong] = citations('A comment (docs/webhooks.md, Order of cheques).');
	expect(wrong && isHeading(wrong.page, wrong.heading)).toBe(false);
});

/** Where a comment says that a rule is written: `(docs/<page>.md, <heading>)`, perhaps with the number of an item. */
function citations(text: string): ReadonlyArray<{readonly page: string; readonly heading: string}> {
	return [...text.matchAll(/\bdocs\/([\w-]+\.md), ([^);]+)/gu)].map(([, page = '', heading = '']) => ({
		page: `docs/${page}`,
		heading: heading.replace(/ \d+$/u, ''),
	}));
}

function isHeading(page: string, heading: string): boolean {
	return pages.find(({path}) => path === page)?.headings.includes(heading) === true;
}

test('every relative link leads to a file, and to a heading of it', () => {
	const links = pages.flatMap(relativeLinks);
	expect(links.filter(({anchor}) => anchor !== '').length).toBeGreaterThan(20);
	const broken = links.filter(
		({path, anchor}) =>
			!existsSync(new URL(path, root)) ||
			(anchor !== '' && !pages.find(page => page.path === path)?.anchors.includes(anchor)),
	);
	expect(broken.map(({page, target}) => `${page}: ${target}`)).toEqual([]);
});

test('every file of assets that a page names is there', () => {
	const named = pages.flatMap(({text}) => [...text.matchAll(/\bassets\/[\w.-]*\w/gu)].map(([path]) => path));
	expect(new Set(named).size).toBeGreaterThan(4);
	expect(named.filter(path => !existsSync(new URL(path, root)))).toEqual([]);
});

describe('command lines', () => {
	const typed = pages.flatMap(({path, text}) =>
		codeBlocks(text, 'sh').flatMap(block => shellCommands(block).map(command => ({...command, path}))),
	);
	const own = typed.filter(({words}) => words[0] === 'sluice');

	test('in blocks name commands and flags of the program', () => {
		expect(own.length).toBeGreaterThan(60);
		const look = ({words}: (typeof own)[number]) => void typedCommand(words.slice(1));
		expect(complaints(own, look, ({path, line}) => `${path}: ${line}`)).toEqual([]);
	});

	test.each([
		['an unknown command', 'sluice mcp lst'],
		['an unknown flag', 'sluice mcp list --jsn'],
		['a flag of another command', 'sluice mcp list --approve'],
		['a value that a flag does not take', 'sluice approvals allow 9db7 --scope forever'],
		['a forgotten value', 'sluice mcp call x --args --json'],
		['words where none belong', 'sluice doctor files'],
		['a command inside a substitution', 'source <(sluice completions bash)'],
	])('with %s are found', (_, line) => {
		const [command] = shellCommands(line).filter(({words}) => words[0] === 'sluice');
		expect(() => typedCommand(command?.words.slice(1) ?? [])).toThrow();
	});

	test('in sentences name commands and flags of the program', () => {
		const named = pages.flatMap(({path, text}) =>
			[...withoutBlocks(text).matchAll(/`(sluice (?![A-Z])[^`|[\]…]+)`/gu)].map(([, line = '']) => ({path, line})),
		);
		expect(named.length).toBeGreaterThan(40);
		const look = ({line}: (typeof named)[number]) =>
			shellCommands(line).forEach(({words}) => typedCommand(words.slice(1)));
		expect(complaints(named, look, ({path, line}) => `${path}: ${line}`)).toEqual([]);
	});

	test('of npm name scripts of the package', () => {
		const {scripts} = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {scripts: object};
		const all = [...typed, ...pages.flatMap(({text}) => inlineCommands(text))];
		const run = all.filter(({words}) => words[0] === 'npm' && words[1] === 'run').map(({words}) => words[2] ?? '');
		expect(run.length).toBeGreaterThan(5);
		expect(run.filter(name => !Object.hasOwn(scripts, name))).toEqual([]);
	});
});

function inlineCommands(text: string) {
	return [...withoutBlocks(text).matchAll(/`(npm [^`]+)`/gu)].flatMap(([, line = '']) => shellCommands(line));
}

describe('configurations', () => {
	const blocks = pages.flatMap(({path, text}) =>
		codeBlocks(text, 'yaml').map((yaml, index) => [`${path}, block ${index + 1}`, yaml] as const),
	);

	test.each(blocks)('of %s are read without a complaint', async (_, yaml) => {
		const home = temporaryDirectory();
		const paths = statePaths({root: home, profile: 'default'});
		writeFileSync(paths.config, yaml);
		const variables = Object.fromEntries([...yaml.matchAll(/\$\{([A-Z_]+)\}/gu)].map(([, name]) => [name, 'a-value']));
		const {config} = await loadConfig({paths, environment: {variables, home, workingDirectory: home}});
		expect(config.problems.map(problem => problem.message)).toEqual([]);
		const expand = (text: string) => text.replaceAll(/\$\{\w+\}/gu, 'a-value');
		expect(webhookRefusals(config.webhook, expand).map(problem => problem.message)).toEqual([]);
	});

	test('of all pages are many', () => {
		expect(blocks.length).toBeGreaterThan(15);
	});

	test('in JSON can be read', () => {
		const json = pages.flatMap(({text}) => codeBlocks(text, 'json'));
		expect(json.length).toBeGreaterThan(1);
		json.forEach(text => expect(() => JSON.parse(text) as unknown).not.toThrow());
	});
});

describe('docs/json.md', () => {
	const withJson = commands.filter(({flags}) => flags.includes('json')).map(({words}) => words.join(' '));

	test('has the document of every command with --json, and of no other', () => {
		expect(Object.keys(commandDocuments).toSorted()).toEqual(withJson.toSorted());
		const {headings} = pageAt('docs/json.md');
		expect(withJson.filter(name => !headings.includes(`\`${name}\``))).toEqual([]);
	});

	test('leaves out streams alone, and the script of a shell', () => {
		const others = commands.map(({words}) => words.join(' ')).filter(name => !withJson.includes(name));
		expect(others.toSorted()).toEqual(['', 'attach', 'completion', 'config edit', 'gateway run', 'logs', 'mcp serve']);
	});

	test.each([
		['mcp list', serverJson],
		['mcp tools', toolJson],
		['webhook list', routeRowJson.omit({next_action: true})],
		['events list', eventRowJson],
		['events show', eventDetailJson],
		['runs list', runRowJson],
		['runs show', runDetailJson],
		['calls list', callRowJson],
		['calls show', callDetailJson],
		['uncertain list', uncertainJson.omit({review_hash: true})],
		['cron list', cronJobJson],
		['approvals list', approvalJson],
		['questions list', questionJson],
		['rules list', ruleJson],
	])('has the members of `%s --json`, in their order', (name, {shape}) => {
		const [, block = ''] = pageAt('docs/json.md').text.split(`### \`${name}\`\n\n\`\`\`ts\n`);
		const [type = ''] = block.split('\n```');
		const members = [...type.matchAll(/^ {2}(\w+)\??: /gmu)].map(match => match[1]);
		expect(members.length > 0 ? members : [...type.matchAll(/(\w+)\??: /gu)].map(match => match[1])).toEqual(
			Object.keys(shape),
		);
	});
});

describe('docs/webhooks.md', () => {
	const names = {route: 'r', event: 'e', deliveryId: 'd', cronJob: 'c', target: 't', name: '<name>'};
	const outcomes: {readonly [Kind in Exclude<Outcome['kind'], 'handshake'>]: object} = {
		health: {},
		ready: {},
		'not-ready': {reasons: ['draining']},
		accepted: names,
		'job-asked': names,
		coalesced: names,
		duplicate: names,
		'event-ignored': names,
		filtered: names,
		'script-ignored': names,
		delivered: names,
		'delivery-failed': names,
		'delivery-uncertain': names,
		'delivery-in-progress': {},
		'delivery-released': {},
		'same-delivery': {eventId: 'e', outcome: {kind: 'delivered', ...names}},
		'bad-request': {},
		'malformed-body': {},
		'invalid-signature': {},
		'unknown-route': names,
		'wrong-method': {allow: 'POST'},
		stalled: {},
		displaced: {bodies: 64},
		'too-large': {},
		'not-understood': {},
		'rate-limited': {retryAfterSeconds: 1},
		'headers-too-large': {},
		internal: {},
		paused: {},
		'queue-full': {},
		'storage-unavailable': {},
		'job-unavailable': {reason: 'the journal cannot be used'},
		stopping: {},
	};

	test.each(Object.entries(outcomes))('has the answer for %s', (kind, rest) => {
		const {status, body, headers} = replyTo({kind, ...rest} as Outcome);
		const lines = pageAt('docs/webhooks.md').text.split('\n');
		const fixed = ['status', 'reason', 'error', 'platform'].filter(name => Object.hasOwn(body, name));
		const wanted = [
			`${status}`,
			...Object.keys(body).map(name => `"${name}"`),
			...fixed.map(name => `"${name}":${JSON.stringify(body[name])}`),
			...(headers['allow'] === undefined ? [] : [`Allow: ${headers['allow']}`]),
		];
		expect(lines.filter(line => wanted.every(part => line.includes(part)))).not.toEqual([]);
	});

	test('names every signature preset', () => {
		const {text} = pageAt('docs/webhooks.md');
		expect(Object.keys(signaturePresets).filter(name => !text.includes(`\`${name}\``))).toEqual([]);
	});
});
