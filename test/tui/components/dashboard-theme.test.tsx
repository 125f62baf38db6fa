import {Spinner, useComponentTheme} from '@inkjs/ui';
import {Text, type TextProps} from 'ink';
import {expect, test} from 'vitest';
import {DashboardTheme} from '../../../source/tui/components/dashboard-theme.tsx';
import {themeNames} from '../../../source/tui/text/theme.ts';
import {render} from 'ink-testing-library';

type StatusTheme = {readonly styles: {readonly icon: (props: {readonly variant: string}) => TextProps}};

/** Shows the style that a status has in the theme above. */
function IconStyle({variant}: {readonly variant: string}) {
	const {styles} = useComponentTheme<StatusTheme>('StatusMessage');
	return <Text>{JSON.stringify(styles.icon({variant}))}</Text>;
}

test.each([
	['dark', {color: 'red', bold: true}],
	['contrast', {color: 'redBright', bold: true, inverse: true}],
	['mono', {bold: true}],
] as const)('a failure of @inkjs/ui looks in %s as ours do', (name, style) => {
	const {lastFrame, unmount} = render(
		<DashboardTheme name={name} ascii={false}>
			<IconStyle variant="error" />
		</DashboardTheme>,
	);
	expect(JSON.parse(lastFrame() ?? '')).toEqual(style);
	unmount();
});

test.each(themeNames)('a component that we do not style is there in %s too', name => {
	const {lastFrame, unmount} = render(
		<DashboardTheme name={name} ascii>
			<Spinner type="line" label="busy" />
		</DashboardTheme>,
	);
	expect(lastFrame()).toBe('- busy');
	unmount();
});
