import {type JSX} from 'react';
import {isOwnGateway} from '../../state/console-state.ts';
import {actionKeys} from '../../state/next-action.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {Pane} from '../components/pane.tsx';
import {type Screen} from '../state/screen.ts';
import {layoutName} from '../text/layout.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type Line, span} from '../text/span.ts';
import {glyphs} from '../../state/entities/status-text.ts';

/** View 1 while there is nothing to show. A pane like any other: all keys work. */
export function FirstRunPane({screen, height}: {readonly screen: Screen; readonly height: number}): JSX.Element {
	const terse = layoutName(screen.size) === 'narrow';
	const lines = firstRunLines(screen.snapshot, {readOnly: screen.readOnly, terse});
	return (
		<Pane title={uiText`1 Overview · first steps`} active lines={lines} width={screen.size.columns} height={height} />
	);
}

/** The lines of the first screen: nothing is configured yet, and the ways to start. */
function firstRunLines(
	{webhook, console}: Snapshot,
	options: {readonly readOnly: boolean; readonly terse: boolean},
): readonly Line[] {
	const {readOnly, terse} = options;
	const gap: readonly Line[] = terse ? [] : [[]];
	return [
		...gap,
		[
			span(terse ? ' ' : '  Welcome. ', 'strong'),
			span(
				terse || console.state === 'lost'
					? 'Nothing is configured yet.'
					: 'Sluice is running, and nothing is configured yet.',
			),
		],
		...gap,
		...(readOnly ? [[span('  read-only: this dashboard cannot change anything', 'busy')]] : []),
		...(readOnly || console.state === 'lost' ? [] : choices(webhook, console)),
		...gap,
		...webhookLines(webhook, terse),
		...(terse
			? []
			: [[span(`  ?  shows all keys   :  takes commands   q  ${isOwnGateway(console) ? 'quits' : 'leaves'}`, 'dim')]]),
	];
}

function choices(webhook: Snapshot['webhook'], console: Snapshot['console']): readonly Line[] {
	return [
		...(isOwnGateway(console) ? [choice('D', 'see it work', 'a demo server, a signed webhook, calls to approve')] : []),
		choice('a', 'add a tool server', 'a command line or an http(s) URL'),
		...(webhook.state === 'listening'
			? []
			: [choice('w', 'turn on webhooks', 'a listener with a fresh secret on this machine')]),
	];
}

function choice(key: string, title: string, words: string): Line {
	return [span(`  ${key}  `, 'accent'), span(title.padEnd(19), 'strong'), span(words, 'dim')];
}

function webhookLines(webhook: Snapshot['webhook'], terse: boolean): readonly Line[] {
	switch (webhook.state) {
		case 'off':
			return [];
		case 'listening':
			return [
				[span(terse ? `  ${glyphs.up} ` : `  ${glyphs.up} webhooks listen at `, 'good'), span(webhook.url, 'strong')],
				[span('    next: sluice webhook subscribe NAME, in another terminal', 'dim')],
				[],
			];
		case 'failed':
			return [
				[span(`  ${glyphs.bad} webhooks failed: ${webhook.reason}`, 'bad')],
				...(actionKeys(webhook.nextActions) === '' ? [] : [[span(`    ${actionKeys(webhook.nextActions)}`, 'dim')]]),
				[],
			];
	}
}
