/** Sizes that are measured: a small hook, a pull request of GitHub, the largest body by default. */
export const payloadBytes = {'1 KB': 1024, '21 KB': 21 * 1024, '1 MB': 1_000_000} as const;

/** The name of a size. */
export type PayloadSize = keyof typeof payloadBytes;

/** JSON of about that size, in the shape of a code host's event: nested objects, long texts, numbers, lists. */
export function makePayload(size: PayloadSize): string {
	const wanted = payloadBytes[size];
	const files: object[] = [];
	const payload = {
		action: 'opened',
		number: 7,
		pull_request: {
			id: 279_147_437,
			title: 'Mend the barrel',
			state: 'open',
			user: {login: 'cooper', id: 21_031_067, site_admin: false},
			labels: [{name: 'leak', color: 'd73a4a'}],
		},
		repository: {full_name: 'yard/barrels', private: false, owner: {login: 'yard', type: 'Organization'}},
		files,
	};
	let length = JSON.stringify(payload).length;
	for (let index = 0; length < wanted - 200; index++) {
		const file = {
			sha: `bbcd538c8e72b8c175046e27cc8f907076331401${index}`,
			filename: `source/staves/oak-${index}.ts`,
			additions: index % 50,
			changed: index % 3 === 0,
			blob_url: `https://git.example/yard/barrels/blob/main/source/staves/oak-${index}.ts`,
			note: null,
		};
		files.push(file);
		length += JSON.stringify(file).length + 1;
	}

	return JSON.stringify(payload);
}
