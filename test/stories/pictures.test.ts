import {readdirSync, readFileSync} from 'node:fs';
import {expect, test, vi} from 'vitest';
import {pictures, rowsOf, takePicture, withoutPaths} from '../../bench/pictures.ts';

const assets = new URL('../../assets/', import.meta.url);
const readPicture = (name: string) => readFileSync(new URL(`${name}.svg`, assets), 'utf8');

test.each(pictures.map(picture => [`assets/${picture.name}.svg`, picture] as const))(
	'%s shows the text that the program shows now',
	// A machine too busy for the pace of the demo may miss the moment of a picture.
	{timeout: 120_000, retry: 1},
	async (path, picture) => {
		const painted = textThatStays(textOf(readPicture(picture.name)));
		await takePicture(picture, async screen => {
			const drawn = () => textThatStays(rowsOf(screen).map(withoutPaths));
			// The demo counts on; it passes through the moment of the picture.
			await vi.waitFor(() => expect(drawn(), `${path} is stale: run \`npm run screenshots\``).toEqual(painted), {
				timeout: 15_000,
				interval: 50,
			});
		});
	},
);

test('every picture of assets is made by the script', () => {
	const made = pictures.map(({name}) => `${name}.svg`);
	expect(
		readdirSync(assets)
			.filter(name => name.endsWith('.svg'))
			.sort(),
	).toEqual(made.sort());
});

test('a changed word is a change, a later time, another id and another port are none', () => {
	const row = ' ▲ #249f2b23 garden/add_task  ▁▃  expires 4:49  :37801 up  12 ms';
	const later = ' ▲ #1af0c7d2 garden/add_task  ▁▁  expires 4:08  :401 up  9 ms';
	expect(textThatStays([row])).toEqual(textThatStays([later]));
	expect(textThatStays([row])).not.toEqual(textThatStays([later.replace('expires', 'ends')]));
});

/** The rows of a picture: each text stands at the column of its cell. */
function textOf(svg: string): readonly string[] {
	const rows = new Map<number, string>();
	for (const [, x = '', y = '', text = ''] of svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)<\/text>/gu)) {
		const column = Math.round((Number(x) - 12) / 8.4);
		const before = (rows.get(Number(y)) ?? '').padEnd(column);
		rows.set(Number(y), before + text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'));
	}

	return [...rows].sort(([one], [other]) => one - other).map(([, row]) => row);
}

/** The words of each row, without ids, numbers, bars, words that a longer number cuts off, the path of a server, and the line about the last key: they differ from one demo to the next. */
function textThatStays(rows: readonly string[]): readonly string[] {
	return rows
		.filter(row => !row.startsWith(' · ✔') && !/^ *server /u.test(row))
		.map(row =>
			row
				.replaceAll(/\b[0-9a-f]{8}\b/gu, '0')
				.replaceAll(/(?:\+|< ?)?\d[\d.:]*(?: (?:ms|s|m)\b| ?%)?/gu, '0')
				.replaceAll(/[▁-█]|[▲●·]{8,}/gu, '')
				.replaceAll(/\s+…/gu, '…')
				.replaceAll(/(?:\S+ )?\S*…/gu, '')
				.replaceAll('─', '')
				.split(/\s+/u)
				.sort()
				.join(' ')
				.trim(),
		)
		.filter(row => row !== '');
}
