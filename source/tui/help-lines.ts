import {type Binding, keymap, type Scope} from './keymap.ts';
import {cell, cutLine, type Line, span} from './span.ts';

const titles: Readonly<Record<Scope, string>> = {
	global: 'in every view',
	list: 'in lists',
	servers: '1 servers',
	approvals: '2 approvals',
	events: '3 events',
	log: '4 log',
	runs: '5 runs and inbox',
	'first-run': 'on the first screen',
	detail: 'in details',
	review: 'on a request',
	always: 'on the page "always allow"',
	confirm: 'on a question',
	'confirm-quit': 'on the question before quitting',
	help: 'on this page',
	text: 'in text fields',
	'too-small': 'below 40x10',
	everywhere: 'everywhere',
};

const order: readonly Scope[] = [
	'global',
	'list',
	'servers',
	'first-run',
	'events',
	'log',
	'runs',
	'detail',
	'review',
	'always',
	'confirm',
	'confirm-quit',
	'text',
	'help',
	'too-small',
	'everywhere',
];

/** The help page: every binding of the table, by where it works. */
export function helpLines(width: number): readonly Line[] {
	return order.flatMap(scope => {
		const bindings = keymap.filter(binding => binding.scope === scope);
		return [[span(` ${titles[scope]}`, 'strong')], ...bindings.map(binding => bindingLine(binding, width)), []];
	});
}

function bindingLine(binding: Binding, width: number): Line {
	return cutLine([cell(`   ${binding.keys.join(' ')}`, 20, 'accent'), span(binding.words)], width);
}
