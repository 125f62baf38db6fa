/*
`npm run bench:inputs`: how the processor time of every loop over bytes of outsiders grows when its input is twice as long, the least of five runs
of each. A loop that takes time proportional to its input prints about 2; the limit is 3. Those of libraries can only be seen here; the
reads of our own are counted in `test/util/outside-inputs.test.ts`.
*/
import {outsideInputs} from '../test/helpers/outside-inputs.ts';
import {checkLimit} from './figures.ts';

const runs = 5;
/** Shorter work is repeated with larger inputs: the clock of the processor counts in microseconds. */
const shortestMicroseconds = 50_000;
const largestSize = 4096;

async function leastMicroseconds(work: (size: number) => unknown, size: number): Promise<number> {
	let least = Number.POSITIVE_INFINITY;
	for (let run = 0; run < runs; run++) {
		const before = process.cpuUsage();
		await work(size);
		const {user, system} = process.cpuUsage(before);
		least = Math.min(least, user + system);
	}

	return least;
}

for (const {name, by, work} of outsideInputs) {
	let size = 1;
	let least = await leastMicroseconds(work, size);
	while (least < shortestMicroseconds && size < largestSize) {
		size *= 2;
		least = await leastMicroseconds(work, size);
	}

	const ratio = (await leastMicroseconds(work, size * 2)) / least;
	checkLimit(`${name} (${by})`, ratio, {limit: 3, unit: '×'});
}
