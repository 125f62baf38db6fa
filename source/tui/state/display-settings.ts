import {type ThemeName} from '../text/theme.ts';

const themeWords = 'draw the dashboard with this theme';

/** Settings of the dashboard that a person chooses while it is open: `:NAME VALUE` sets one, and each is remembered. Values with their meanings. */
export const displaySettings = {
	theme: {
		auto: 'use the theme for the background of the terminal',
		dark: themeWords,
		light: themeWords,
		contrast: themeWords,
		mono: themeWords,
	} satisfies Readonly<Record<ThemeName | 'auto', string>>,
	notify: {
		off: 'say nothing when more is waiting',
		bell: 'ring the bell when more is waiting',
		osc: 'send a notification when more is waiting and the keyboard is elsewhere',
	},
	mouse: {
		off: 'leave the mouse to the terminal',
		wheel: 'move lists and texts by the wheel',
		pick: 'move by the wheel, and pick rows by a click',
	},
} as const;

export type SettingName = keyof typeof displaySettings;

export const settingNames = Object.keys(displaySettings) as readonly SettingName[];

/** The chosen value of each setting. */
export type DisplaySettings = {readonly [Name in SettingName]: keyof (typeof displaySettings)[Name]};

export const defaultSettings: DisplaySettings = {theme: 'auto', notify: 'bell', mouse: 'off'};

/** The values of a setting, in the order in which a key goes through them. */
export function settingValues<Name extends SettingName>(name: Name): ReadonlyArray<DisplaySettings[Name]> {
	return Object.keys(displaySettings[name]) as Array<DisplaySettings[Name]>;
}

/** The meaning of a value. */
export function settingWords(name: SettingName, value: string): string {
	const words: Readonly<Record<string, string>> = displaySettings[name];
	return words[value] ?? settingValues(name).join(', ');
}

/** The value of a setting that a text names. */
export function settingValue<Name extends SettingName>(name: Name, text: unknown): DisplaySettings[Name] | undefined {
	return settingValues(name).find(value => value === text);
}

/** The settings that an object of texts names; what is missing or unknown is left out. */
export function settingsIn(member: (name: SettingName) => unknown): Partial<DisplaySettings> {
	return Object.fromEntries(
		settingNames.flatMap(name => {
			const value = settingValue(name, member(name));
			return value === undefined ? [] : [[name, value]];
		}),
	);
}
