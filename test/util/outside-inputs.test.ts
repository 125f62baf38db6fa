import {expect, test} from 'vitest';
import {countReads} from '../helpers/count-reads.ts';
import {outsideInputs} from '../helpers/outside-inputs.ts';

test.each(outsideInputs.filter(({by}) => by === 'us'))(
	'$name: twice the input takes at most 2.5 times the reads',
	async ({work}) => {
		await countReads(() => work(1));
		const [one, two] = [await countReads(() => work(4)), await countReads(() => work(8))];
		expect(two / Math.max(one, 1000)).toBeLessThanOrEqual(2.5);
	},
);
