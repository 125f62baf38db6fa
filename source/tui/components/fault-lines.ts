import {inForceText} from '../../state/line.ts';
import {type ConsoleState} from '../../state/console-state.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type Line, span} from '../text/span.ts';
import {glyphs} from '../../state/entities/status-text.ts';
import {wrapToWidth} from '../text/text-width.ts';

type Faulty = Pick<Snapshot, 'config' | 'faults'>;

/** Faults of the gateway itself: first config.yaml, while it cannot be used, then each faulty part. */
export function faultTexts({config, faults}: Faulty): readonly string[] {
	const unusable = config.state === 'unusable' ? [uiText`${config.reason} · ${inForceText(config)}`] : [];
	return [...unusable, ...faults.map(({reason}) => reason)];
}

/** All of what is wrong, in lines. */
export function faultPage(snapshot: Faulty, width: number): readonly Line[] {
	const texts = faultTexts(snapshot);
	return texts.length === 0
		? [[span(' nothing is wrong now', 'dim')]]
		: texts.flatMap((text, index) => [...(index === 0 ? [] : [[]]), ...faultLines(text, width)]);
}

/** That the gateway is gone and is looked for, since when and why, in at most `room` lines. */
export function lostBanner(
	{since, reason}: Extract<ConsoleState, {state: 'lost'}>,
	{width, room}: {readonly width: number; readonly room: number},
): readonly Line[] {
	const when = uiText`no connection since ${timeOfDay(since)}`;
	return room < 2
		? faultLines(uiText`no connection · looking for it`, width).slice(0, 1)
		: faultLines(uiText`${when} · looking for the gateway · ${reason}`, width).slice(0, room);
}

/** The banners of the faults in at most `room` lines. Where they need more, the last line names the key that opens all of it. */
export function faultBanners(
	snapshot: Faulty,
	{width, room}: {readonly width: number; readonly room: number},
): readonly Line[] {
	const texts = faultTexts(snapshot);
	const lines = texts.flatMap(text => faultLines(text, width));
	if (lines.length <= room) {
		return lines;
	}

	const words = texts.length === 1 ? 'shows all of it' : `shows all ${texts.length} faults`;
	const key: Line = [span(uiText`   … `, 'bad'), span('!', 'accent'), span(` ${words}`, 'dim')];
	return room < 2 ? lines.slice(0, room) : [...lines.slice(0, room - 1), key];
}

function faultLines(text: string, width: number): readonly Line[] {
	return wrapToWidth(text, width - 4).map(
		(part, index): Line => [span(index === 0 ? ` ${glyphs.bad} ` : '   ', 'bad'), span(part, 'bad')],
	);
}
