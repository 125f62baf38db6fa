import {type MessageSource} from './preset.ts';

/** The place of an id or an event type in words; undefined where that of any sender counts. */
export function messageSourceText(source: MessageSource | undefined): string | undefined {
	switch (source?.from) {
		case 'header':
			return `header ${source.name}`;
		case 'field':
			return `field ${source.name}`;
		case 'fields':
			return `fields ${source.names.join(', ')}`;
		case 'first-field':
			return `field ${source.names.join(' or ')}`;
		case 'member-name':
			return `name of the member besides ${source.besides}`;
		case 'none':
			return 'none';
		case undefined:
			return undefined;
	}
}

const units = [
	{seconds: 86_400, name: 'day'},
	{seconds: 3600, name: 'hour'},
	{seconds: 60, name: 'minute'},
	{seconds: 1, name: 'second'},
];

/** A time in the largest unit that divides it: `3 days`, `90 minutes`. */
export function secondsText(seconds: number): string {
	const unit = units.find(one => seconds % one.seconds === 0) ?? {seconds: 1, name: 'second'};
	const count = seconds / unit.seconds;
	return `${count} ${unit.name}${count === 1 ? '' : 's'}`;
}
