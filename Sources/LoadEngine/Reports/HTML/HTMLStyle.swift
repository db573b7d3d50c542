/// The page's style sheet. Lines differ in color and in dash, so that they can be told apart without color.
enum HTMLStyle {
    static let text = """
        :root {
          color-scheme: light dark;
          --page: #ffffff; --ink: #1c2530; --faint: #5d6a78; --rule: #d9dfe6; --thin: #eef1f4; --block: #f5f7f9;
          --blue: #1f6fc4; --orange: #c2570c; --red: #b3261e; --warn: #fff4df; --warn-rule: #e0a030;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #14191f; --ink: #e4e9ee; --faint: #9aa7b4; --rule: #36414d; --thin: #232b34; --block: #1c232b;
            --blue: #6cb0f5; --orange: #f3a35c; --red: #f28b82; --warn: #3a2f17; --warn-rule: #b98a2f;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--page); color: var(--ink);
               font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
        main { max-width: 960px; margin: 0 auto; padding: 28px 20px 60px; }
        h1 { font-size: 24px; margin: 0 0 4px; }
        h2 { font-size: 17px; margin: 32px 0 8px; }
        .lead { color: var(--faint); margin: 0 0 18px; }
        .warning { background: var(--warn); border-left: 4px solid var(--warn-rule); padding: 8px 12px; margin: 0 0 12px; }
        .cards { display: flex; flex-wrap: wrap; gap: 12px; }
        .card { flex: 1 1 130px; background: var(--block); border: 1px solid var(--rule); border-radius: 8px;
                padding: 10px 14px; }
        .card b { display: block; font-size: 21px; font-variant-numeric: tabular-nums; white-space: nowrap; }
        .card span { color: var(--faint); font-size: 13px; }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
        th, td { text-align: left; padding: 4px 22px 4px 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
        th { color: var(--faint); font-weight: 600; font-size: 13px; }
        .number { text-align: right; white-space: nowrap; }
        td:first-child { white-space: nowrap; }
        td { overflow-wrap: anywhere; }
        svg { width: 100%; min-width: 620px; height: auto; display: block; }
        svg text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--faint); }
        svg .note { fill: var(--ink); paint-order: stroke; stroke: var(--page); stroke-width: 4px; }
        svg .strong { font-weight: 600; }
        svg .legend { fill: var(--ink); }
        svg .grid { stroke: var(--rule); stroke-width: 1; }
        svg .minor { stroke: var(--thin); }
        svg .frame { fill: none; stroke: var(--rule); }
        svg .line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke: var(--blue); }
        svg .area { fill: var(--blue); opacity: .14; }
        svg .swatch, svg .dot { fill: var(--blue); }
        svg .line.p99, svg .line.whole { stroke: var(--orange); }
        svg .swatch.p99, svg .dot.p99, svg .swatch.whole, svg .dot.whole { fill: var(--orange); }
        svg .line.first { stroke-dasharray: 8 5; }
        svg .line.errors { stroke: var(--red); stroke-dasharray: 2 3; }
        svg .swatch.errors, svg .dot.errors { fill: var(--red); }
        svg .line.wanted { stroke: var(--faint); stroke-dasharray: 7 4; stroke-width: 1.5; }
        svg .swatch.wanted, svg .dot.wanted { fill: var(--faint); }
        @media print { main { max-width: none; } section { break-inside: avoid; } }
        """
}
