/// The page's style sheet. Lines differ in color and in dash, so that color is not needed.
enum HTMLStyle {
    static let text = """
        :root {
          color-scheme: light dark;
          --page: #ffffff; --ink: #1c2530; --faint: #5d6a78; --rule: #d9dfe6; --thin: #eef1f4; --block: #f5f7f9;
          --blue: #1f6fc4; --orange: #c2570c; --red: #b3261e; --green: #1b7a3d; --violet: #7b4fc9; --teal: #0b7f86;
          --warn: #fff4df; --warn-rule: #e0a030;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #14191f; --ink: #e4e9ee; --faint: #9aa7b4; --rule: #36414d; --thin: #232b34; --block: #1c232b;
            --blue: #6cb0f5; --orange: #f3a35c; --red: #f28b82; --green: #6fcf8e; --violet: #b79df2; --teal: #5cc9d1;
            --warn: #3a2f17; --warn-rule: #b98a2f;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--page); color: var(--ink);
               font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
        main { max-width: 1120px; margin: 0 auto; padding: 28px 20px 60px; }
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
        th.number, td.number { padding: 4px 0 4px 18px; }
        td.number.holds, td.number.fails { padding-left: 26px; }
        td:first-child { white-space: nowrap; }
        td { overflow-wrap: anywhere; }
        .holds { color: var(--green); font-weight: 600; }
        .fails { color: var(--red); font-weight: 600; }
        .chart svg { width: 100%; height: auto; display: block; }
        .chart svg.narrow { display: none; }
        .legend { display: flex; flex-wrap: wrap; gap: 2px 22px; font-size: 13px; }
        .legend svg { width: 26px; height: 8px; margin-right: 7px; vertical-align: middle; }
        svg text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--faint); }
        svg .note { fill: var(--ink); paint-order: stroke; stroke: var(--page); stroke-width: 4px; }
        svg .strong { font-weight: 600; }
        svg .grid { stroke: var(--rule); stroke-width: 1; }
        svg .minor { stroke: var(--thin); }
        svg .frame { fill: none; stroke: var(--rule); }
        svg .line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke: var(--blue); }
        svg .area { fill: var(--blue); opacity: .14; }
        svg .dot { fill: var(--blue); }
        svg .p99, svg .op-pages { stroke: var(--orange); }
        svg .op-stream { stroke: var(--green); }
        svg .op-walk { stroke: var(--violet); }
        svg .op-toggle { stroke: var(--teal); stroke-dasharray: 12 3; }
        svg .op-favorites { stroke: var(--red); stroke-dasharray: 6 3 1 3; }
        svg .first { stroke-dasharray: 8 5; }
        svg .dot.p99, svg .dot.op-pages { fill: var(--orange); }
        svg .dot.op-stream { fill: var(--green); }
        svg .dot.op-walk { fill: var(--violet); }
        svg .dot.op-toggle { fill: var(--teal); }
        svg .dot.op-favorites, svg .dot.errors { fill: var(--red); }
        svg .line.errors { stroke: var(--red); stroke-dasharray: 2 3; }
        svg .line.wanted { stroke: var(--faint); stroke-dasharray: 7 4; stroke-width: 1.5; }
        svg .dot.wanted { fill: var(--faint); }
        @media (max-width: 860px) {
          .titled, .titled tbody { display: block; }
          .titled thead { display: none; }
          .titled tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(92px, 1fr)); gap: 4px 12px;
                       padding: 8px 0; border-bottom: 1px solid var(--rule); }
          .titled td, .titled td.number { display: block; padding: 0; border: 0; text-align: left; white-space: normal; }
          .titled td:first-child { grid-column: 1 / -1; font-weight: 600; }
          .titled td[data-title]::before { content: attr(data-title); display: block; font-weight: 400; font-size: 12px;
                                           color: var(--faint); }
        }
        @media (max-width: 640px) {
          .chart svg.wide { display: none; }
          .chart svg.narrow { display: block; }
        }
        @media print { main { max-width: none; } section { break-inside: avoid; } }
        """
}
